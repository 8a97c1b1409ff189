"""Resources, factories, building [VE 11.0]; `chapter` is what the sequence of play calls."""
