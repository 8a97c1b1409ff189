"""Chance that nobody can foresee, re-roll or deny: every outcome derives from one deterministic signature.

The signed input is text, so that `openssl dgst -sha256 -verify` checks it as it stands:

    stavka-roll/1
    match <match id>
    entropy <seat>=<hex> <seat>=<hex> ...       seats in the order of the scenario
    cause command <sha256 of the committed command>   or   cause batch <head that caused the automatic step>
    roll <ordinal within the decision>
    purpose <label>
    want dice <count> <sides>                   or   want shuffle <count>

The seed of the expansion (`stavka.kernel.dice`) is SHA-256 of the signature. A decision taken again after a crash or
a lost race has the same input, hence the same roll.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from stavka.kernel.dice import expand_dice, expand_shuffle
from stavka.kernel.errors import CorruptHistory
from stavka.kernel.visibility import is_all_public
from stavka.wire.codec import from_json, to_json
from stavka.wire.gen.stavka.log.v1 import log_pb2
from stavka.wire.seal import Sealer

from .keys import Signer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cause:
    """What a decision's rolls are bound to."""

    match_id: str
    entropy: Mapping[str, str]
    kind: str  # "command" or "batch"
    digest: bytes

    def roll_input(self, ordinal: int, purpose: str, want: str) -> bytes:
        entropy = "".join(f" {seat}={value}" for seat, value in self.entropy.items())
        return (
            f"stavka-roll/1\nmatch {self.match_id}\nentropy{entropy}\n"
            f"cause {self.kind} {self.digest.hex()}\nroll {ordinal}\npurpose {purpose}\nwant {want}\n"
        ).encode()


def command_digest(match_id: str, command_id: str, seat: str, name: str, command: object, key: bytes) -> bytes:
    """Digest of a committed command: its id, seat, type and canonical JSON.

    A command with hidden fields is salted from the match's seal key, or whoever sees the digest could guess them.
    """
    public = is_all_public(type(command))
    salt = "" if public else hmac.digest(key, b"stavka-command-salt/1" + command_id.encode(), "sha256").hex()
    head = f"stavka-command/1\n{match_id}\n{command_id}\n{seat}\n{name}\n{salt}\n".encode()
    return hashlib.sha256(head + to_json(command)).digest()


def seal_roll(roll: log_pb2.Roll, sealer: Sealer, ordinal: int) -> log_pb2.Roll:
    """The roll as it stands in a record: shuffles are sealed (they order decks), all else is open. A script is open too."""
    if roll.kind != "shuffle":
        return roll
    box = to_json(sealer.seal(f"roll {ordinal}", to_json(roll.SerializeToString())))
    return log_pb2.Roll(purpose=roll.purpose, kind=roll.kind, sealed=box)


def open_roll(roll: log_pb2.Roll, sealer: Sealer) -> log_pb2.Roll:
    """The roll with its proof. Raises CorruptHistory when the seal does not open."""
    if not roll.sealed:
        return roll
    return log_pb2.Roll.FromString(base64.b64decode(from_json(sealer.open(from_json(roll.sealed)))))


def seed_of(signature: bytes) -> bytes:
    return hashlib.sha256(signature).digest()


def fits(numbers: Sequence[int], sides: int) -> bool:
    """Whether numbers of a script are dice of so many sides; for no sides: an order of as many things."""
    if not sides:
        return sorted(numbers) == list(range(len(numbers)))
    return all(1 <= number <= sides for number in numbers)


@dataclass
class SignedRoll:
    """The `Roll` of live matches. `script` (analysis matches) is read first, then signatures are used.

    A die takes the next number of the script, a shuffle of n things the next n: a permutation of 0..n-1, which says what
    stands in each place. Numbers that do not fit the roll are left for a later one, and this one is signed.
    """

    signer: Signer
    cause: Cause
    script: Sequence[int] = ()
    proofs: list[log_pb2.Roll] = field(default_factory=list)
    scripted: int = 0

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        if count == 0:
            return ()
        if scripted := self._read(purpose, count, sides):
            return scripted
        signature = self._sign(purpose, f"dice {count} {sides}")
        results = expand_dice(seed_of(signature), count, sides)
        self._keep(purpose, "dice", count, sides, results, signature, f"dice {count} {sides}")
        return results

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        if scripted := self._read(purpose, len(items), 0):
            return tuple(items[index] for index in scripted)
        want = f"shuffle {len(items)}"
        signature = self._sign(purpose, want)
        order = expand_shuffle(seed_of(signature), len(items))
        self._keep(purpose, "shuffle", len(items), 0, order, signature, want)
        return tuple(items[index] for index in order)

    def _read(self, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """The next numbers of the script, noted as a roll; none when they do not fit it."""
        ahead = tuple(self.script[self.scripted : self.scripted + count])
        if len(ahead) < count or not fits(ahead, sides):
            return ()
        self.scripted += count
        self.proofs.append(log_pb2.Roll(purpose=purpose, kind="scripted", count=count, sides=sides, results=ahead))
        return ahead

    def _sign(self, purpose: str, want: str) -> bytes:
        return self.signer.sign(self.cause.roll_input(len(self.proofs), purpose, want))

    def _keep(
        self, purpose: str, kind: str, count: int, sides: int, results: Sequence[int], signature: bytes, want: str
    ) -> None:
        data = self.cause.roll_input(len(self.proofs), purpose, want)
        self.proofs.append(
            log_pb2.Roll(
                purpose=purpose, kind=kind, count=count, sides=sides, results=results, input=data, signature=signature
            )
        )


@dataclass
class RecordedRoll:
    """The `Roll` of an audit: hands out what a record says was rolled, and insists on the same questions.

    Raises CorruptHistory(ROLL_MISMATCH) when the rules ask for another roll than the record holds.
    """

    proofs: Sequence[log_pb2.Roll]
    used: int = 0

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        if count == 0:
            return ()
        return tuple(self._next(purpose, ("dice", "scripted"), count, sides))

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items[index] for index in self._next(purpose, ("shuffle", "scripted"), len(items), 0))

    def _next(self, purpose: str, kinds: tuple[str, ...], count: int, sides: int) -> Sequence[int]:
        proof = self.proofs[self.used] if self.used < len(self.proofs) else log_pb2.Roll()
        if (proof.purpose, proof.count, proof.sides) != (purpose, count, sides) or proof.kind not in kinds:
            raise CorruptHistory(
                "ROLL_MISMATCH",
                f"roll {self.used}: rules ask for {purpose!r} ({count}, {sides}), record has {proof.purpose!r}",
            )
        self.used += 1
        return proof.results
