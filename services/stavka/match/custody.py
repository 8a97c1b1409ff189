"""Whether a keyring is the one that the matches of a log were made with.

Every match names its roll key and commits to its seal key in its first record. With other keys its hidden fields do
not open, its end discloses a key that nobody committed to, and its next roll cannot be signed: whoever decides must
know before he does. Ended matches need their roll key no more, but their seal key as long as anybody reads them.
"""

from __future__ import annotations

from pathlib import Path

from stavka.wire.seal import key_commitment, match_key

from .follower import Accepted, Listener
from .keys import ROLLS, SEALING, BadKeys, Keyring
from .lobby import MatchCreated, MatchEnded
from .rulebooks import PREFIX

ENDED = PREFIX + MatchEnded.__name__


class Custody:
    """A follower's listener. Hang it on before the follower is started; ask `require` when it has caught up."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._sealed_elsewhere: str = ""
        self._signed_elsewhere: dict[str, str] = {}

    def __call__(self, news: Accepted) -> None:
        match_id = news.fold.match_id
        for event in news.events:
            if isinstance(event, MatchCreated):
                if not is_sealed_here(self._keyring, match_id, event):
                    self._sealed_elsewhere = self._sealed_elsewhere or match_id
                if event.key_id not in self._keyring.signers:
                    self._signed_elsewhere[match_id] = event.key_id
        if any(payload.type == ENDED for payload in news.record.events):
            self._signed_elsewhere.pop(match_id, None)

    def require(self, folder: Path) -> None:
        """Raises BadKeys(FOREIGN_KEYS) naming a match that was made with a key which `folder` lacks."""
        if self._sealed_elsewhere:
            raise BadKeys(
                "FOREIGN_KEYS", folder, SEALING, f"is not the key that match {self._sealed_elsewhere} was made with"
            )
        for match_id, key_id in self._signed_elsewhere.items():
            raise BadKeys("FOREIGN_KEYS", folder, ROLLS, f"the key {key_id} of the running match {match_id} is missing")


def quarantine_foreign(keyring: Keyring) -> Listener:
    """A listener that puts matches with another seal key into quarantine. Hang it on before any referee."""

    def look(news: Accepted) -> None:
        for event in news.events:
            if isinstance(event, MatchCreated) and not is_sealed_here(keyring, news.fold.match_id, event):
                news.fold.quarantine = f"version {news.version}: WRONG_SEAL_KEY: the sealing key here is not the one this match was made with"
                news.fold.state = None

    return look


def is_sealed_here(keyring: Keyring, match_id: str, created: MatchCreated) -> bool:
    """Whether the match committed to the seal key that this keyring gives it."""
    return key_commitment(match_key(keyring.sealing, match_id)) == created.seal_commitment
