"""Checks of a record's rolls: what stands outside a seal, the signed input, the signature, the expansion, the script.

A roll is checked as far as it is open. A sealed shuffle waits for the match's key; only its outside is looked at. When
a command is sealed its digest is not known yet, and every line of the input but that one is checked all the same: the
rolls of the record must agree on the digest, and no other record may have had it.
"""

from __future__ import annotations

import re
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from stavka.kernel.dice import expand_dice, expand_shuffle
from stavka.match.keys import public_key_id
from stavka.match.lobby import MatchCreated, MatchState
from stavka.match.rolls import Cause, fits, open_roll, seed_of
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer

from .report import Report, WrongRecord, require

NAMED_DIGEST: Final = re.compile(rb"\ncause command ([0-9a-f]{64})\n")


class RollAuditor:
    """Checks the rolls of one match, record by record. `key` is the match's, once its first event has named it."""

    def __init__(self, report: Report) -> None:
        self.key: rsa.RSAPublicKey | None = None
        self._report = report
        self._digests: set[bytes] = set()

    def check(
        self, record: log_pb2.Record, cause: Cause, sealer: Sealer | None, state: MatchState
    ) -> list[log_pb2.Roll]:
        """The record's rolls, opened and checked; one that waits for the key as it stands. Raises WrongRecord.

        `state` is the match before the record.
        """
        if cause.kind == "command" and cause.digest and record.rolls:
            require(cause.digest not in self._digests, "REPEATED_CAUSE", "the rolls are those of another command")
            self._digests.add(cause.digest)
        found: list[log_pb2.Roll] = []
        scripted = 0
        for ordinal, stored in enumerate(record.rolls):
            roll = _opened(stored, sealer, ordinal)
            found.append(roll)
            if stored.sealed and sealer is None:
                continue
            if roll.kind == "scripted":
                _check_scripted(roll, state, scripted)
                scripted += len(roll.results)
            else:
                self._check_signed(roll, cause, ordinal)
            self._report.rolls += 1
        return found

    def _check_signed(self, roll: log_pb2.Roll, cause: Cause, ordinal: int) -> None:
        require(roll.kind in ("dice", "shuffle"), "WRONG_ROLL_KIND", f"roll {ordinal}: no roll is a {roll.kind!r}")
        want = f"dice {roll.count} {roll.sides}" if roll.kind == "dice" else f"shuffle {roll.count}"
        require(
            roll.input == cause.roll_input(ordinal, roll.purpose, want),
            "WRONG_ROLL_INPUT",
            f"roll {ordinal}: the signed input is not this roll's",
        )
        if self.key is None:
            raise WrongRecord("NO_KEY", "a roll stands before the match named its key")
        try:
            self.key.verify(roll.signature, roll.input, padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature as error:
            raise WrongRecord(
                "BAD_SIGNATURE", f"roll {ordinal} ({roll.purpose}): the signature does not fit"
            ) from error
        seed = seed_of(roll.signature)
        due = expand_dice(seed, roll.count, roll.sides) if roll.kind == "dice" else expand_shuffle(seed, roll.count)
        require(
            tuple(roll.results) == tuple(due),
            "WRONG_ROLL",
            f"roll {ordinal} ({roll.purpose}): the signature gives {due}",
        )


def named_digest(record: log_pb2.Record) -> bytes:
    """The digest of a sealed command as the first open roll of its record names it; empty when none does."""
    named = (NAMED_DIGEST.search(roll.input) for roll in record.rolls)
    return next((bytes.fromhex(found[1].decode()) for found in named if found), b"")


def key_of(created: MatchCreated) -> rsa.RSAPublicKey:
    """The key that the match's first event names. Raises WrongRecord."""
    try:
        key = serialization.load_pem_public_key(created.public_key.encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise WrongRecord("NO_KEY", "the match's public key is no key in PEM") from error
    if not isinstance(key, rsa.RSAPublicKey):
        raise WrongRecord("NO_KEY", "the match's key is no RSA key")
    require(
        public_key_id(key) == created.key_id,
        "WRONG_KEY_ID",
        f"the match's key has the id {public_key_id(key)}, not {created.key_id}",
    )
    return key


def _opened(stored: log_pb2.Roll, sealer: Sealer | None, ordinal: int) -> log_pb2.Roll:
    """What a roll holds. Only shuffles are sealed, and outside the seal stand their purpose and kind alone."""
    if not stored.sealed:
        return stored
    roll = open_roll(stored, sealer) if sealer is not None else stored
    require(
        roll.kind == "shuffle" and stored == log_pb2.Roll(purpose=roll.purpose, kind=roll.kind, sealed=stored.sealed),
        "WRONG_SEALED_ROLL",
        f"roll {ordinal}: what stands open is not the purpose and kind of a sealed shuffle",
    )
    return roll


def _check_scripted(roll: log_pb2.Roll, state: MatchState, before: int) -> None:
    require(state.analysis, "SCRIPTED_ROLL", "only an analysis match may script its rolls")
    start = state.script_used + before
    due = state.script[start : start + roll.count]
    require(
        tuple(roll.results) == due and fits(due, roll.sides),
        "SCRIPTED_ROLL",
        f"the script says {due} for {roll.purpose!r}",
    )
