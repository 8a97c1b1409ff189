"""Battles on land, in the air and at sea [VE 5.0] [VE 6.2] [VE 7.2]; `chapter` is what the sequence of play calls."""
