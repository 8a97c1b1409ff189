"""Contracts of Log, CommandBus and Intake, over every adapter, and what only one of them can get wrong."""
