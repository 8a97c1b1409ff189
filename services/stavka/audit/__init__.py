"""Audit: a match's complete history as a file, and the proof that it is what it claims to be.

export.py    the file: one JSON object a line
verify.py    chain, rolls, legality of every decision by deciding again, final score
"""
