"""Errors, told apart by whose fault it is and what to do about it.

    IllegalAction      a player broke a rule: refuse, name the rule, change nothing
    MalformedCommand   no player could mean it (a client's bug): refuse
    StaleCommand       the match moved on since the caller looked: look again
    DataError          a data file is wrong: refuse to start
    CorruptHistory     a stored event cannot be applied: quarantine that match, go on with the rest

Reasons are stable UPPER_SNAKE_CASE words that clients may switch on; details are for people and tests.
"""

from __future__ import annotations


class StavkaError(Exception):
    """Base of every error that the rules and the runtime raise on purpose."""

    def __init__(self, reason: str, message: str = "", **details: object) -> None:
        super().__init__(message or reason)
        self.reason = reason
        self.details = details


class IllegalAction(StavkaError):
    """A rule forbids it. `rule` is a citation such as "RV 6.42"."""

    def __init__(self, rule: str, reason: str, message: str = "", **details: object) -> None:
        super().__init__(reason, message or f"{reason} [{rule}]", **details)
        self.rule = rule


class MalformedCommand(StavkaError):
    """Unknown command type, unknown id, wrong shape."""


class StaleCommand(StavkaError):
    """The caller named a version, or a decision, that is no longer the present one."""


class DataError(StavkaError):
    """A data file does not hold what it must. Raised at start-up only."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__("BAD_DATA", f"{file}: {key}: {reason}", file=file, key=key)
        self.file = file
        self.key = key


class CorruptHistory(StavkaError):
    """An accepted record cannot be decoded or applied by this build."""
