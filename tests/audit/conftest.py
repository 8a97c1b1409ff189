"""The skirmish and its runtime, for all tests of the audit."""

from tests.support.skirmish_table import skirmish, table

__all__ = ["skirmish", "table"]
