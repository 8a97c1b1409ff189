PYTHON := .venv/bin/python

# Generated stubs are committed; `make stubs` makes them anew and `make check` fails when they differ.
stubs:
	$(PYTHON) deploy/stubs.py
