"""Audit: a match's complete history as a file, and the proof that it is what it claims to be.

export.py    the file: one JSON object a line
verify.py    the verification of a history or a file, and its report
auditor.py   the walk through the records: chain, seal, legality of every decision by deciding again, final score
rolls.py     the checks of a record's rolls
report.py    what a verification says
"""
