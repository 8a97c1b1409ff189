"""`python -m stavka`: the command line."""

from stavka.cli import main

main()
