"""What reading a match can refuse.

UnknownMatch        UNKNOWN_MATCH     no accepted record bears this match id
VersionNotYet       VERSION_NOT_YET   the match (as far as the viewer may see it) has not come to that version
MatchQuarantined    QUARANTINED       a stored event cannot be applied by this build
StoreUnavailable    STORE_AWAY        the projections do not answer, or are being rebuilt: try again
"""

from __future__ import annotations

from stavka.kernel.errors import CorruptHistory, StavkaError


class UnknownMatch(StavkaError):
    def __init__(self, match_id: str) -> None:
        super().__init__("UNKNOWN_MATCH", f"there is no match {match_id}", match_id=match_id)


class VersionNotYet(StavkaError):
    """`details["current"]` is the version that the match has reached, `details["asked"]` the one that was asked for."""

    def __init__(self, match_id: str, version: int, current: int) -> None:
        super().__init__(
            "VERSION_NOT_YET",
            f"match {match_id} is at version {current}, not yet at {version}",
            match_id=match_id,
            asked=version,
            current=current,
        )


class MatchQuarantined(CorruptHistory):
    def __init__(self, match_id: str, why: str) -> None:
        super().__init__("QUARANTINED", f"match {match_id} is in quarantine: {why}", match_id=match_id)
        self.why = why


class StoreUnavailable(StavkaError):
    """Transient. Nothing is lost: whatever the projections hold can be made again from the log."""

    def __init__(self, why: str) -> None:
        super().__init__("STORE_AWAY", f"the projections do not answer: {why}")
