"""Rules of single countries [VE 13.0]; chapters of diplomacy and production call them."""
