"""Brokers on loopback for machines without a container engine."""
