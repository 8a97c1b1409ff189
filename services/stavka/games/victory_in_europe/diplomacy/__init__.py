"""Neutral powers, surrender, entry into the war, victory [VE 9.0] [VE 10.0] [VE 13.0]; see `chapter`."""
