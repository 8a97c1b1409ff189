"""Acceptance: whatever is lost, doubled, delayed or reordered, all readers accept one chain of honest decisions."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stavka.match.fold import ENDED_TABLES, Book, MatchFold, Verdict, command_key, judge, leaf_hash, partition_of
from stavka.match.lobby import MatchCreated, MatchEnded, PlayBegun, SeatTaken
from stavka.match.rulebooks import rulebook
from stavka.wire.gen.stavka.log.v1 import log_pb2

from tests.support.runtime import installed
from tests.support.skirmish import game

MATCH = "03-01J0"


def proposal(fold: MatchFold, name: str) -> bytes:
    """A record computed on what `fold` has observed."""
    return log_pb2.Record(
        envelope_version=1, match_id=MATCH, base_version=fold.version, base_hash=fold.head, proposal_id=name, command_id=name, player=name
    ).SerializeToString()  # fmt: skip


class TestVerdict:
    def record(self, version: int, head: bytes, envelope: int = 1) -> log_pb2.Record:
        return log_pb2.Record(envelope_version=envelope, base_version=version, base_hash=head)

    def test_only_the_present_version_and_hash_are_accepted(self) -> None:
        fold = MatchFold(MATCH, version=5, head=b"h" * 32)
        assert judge(fold, self.record(5, b"h" * 32)) is Verdict.ACCEPTED
        assert judge(fold, self.record(5, b"x" * 32)) is Verdict.FORK
        assert judge(fold, self.record(4, b"h" * 32)) is Verdict.STALE
        assert judge(fold, self.record(6, b"h" * 32)) is Verdict.FUTURE
        assert judge(fold, self.record(5, b"h" * 32, envelope=0)) is Verdict.IGNORED
        assert judge(fold, self.record(5, b"h" * 32, envelope=2)) is Verdict.IGNORED


@settings(max_examples=300)
@given(st.integers(0, 2**32))
def test_every_interleaving_gives_one_chain_that_all_readers_share(seed: int) -> None:
    """Writers that lag behind, records that are lost, doubled and late. Each accepted base is its predecessor."""
    chance = random.Random(seed)
    log: list[bytes] = []
    writers = [Book(None) for _ in range(chance.randint(2, 5))]
    seen = [0] * len(writers)
    in_flight: list[bytes] = []
    for step in range(60):
        act = chance.random()
        writer = chance.randrange(len(writers))
        if act < 0.4:
            in_flight.append(proposal(writers[writer].fold_of(MATCH), f"p{step}"))
        elif act < 0.75 and in_flight:
            record = chance.choice(in_flight)
            log.append(record)
            if chance.random() < 0.6:
                in_flight.remove(record)
        elif act < 0.8 and in_flight:
            in_flight.pop(chance.randrange(len(in_flight)))
        else:
            upto = chance.randint(seen[writer], len(log))
            for raw in log[seen[writer] : upto]:
                writers[writer].take(3, raw)
            seen[writer] = upto
    for book, position in zip(writers, seen, strict=True):
        for raw in log[position:]:
            book.take(3, raw)
    reader = Book(None)
    accepted = [raw for raw in log if reader.take(3, raw)[0] is Verdict.ACCEPTED]
    heads = {(b.fold_of(MATCH).version, b.fold_of(MATCH).head) for b in [*writers, reader]}
    assert len(heads) == 1
    head = bytes(32)
    for version, raw in enumerate(accepted):
        record = log_pb2.Record.FromString(raw)
        assert (record.base_version, record.base_hash) == (version, head)
        head = leaf_hash(raw)
    assert len({log_pb2.Record.FromString(raw).command_id for raw in accepted}) == len(accepted)


def test_a_commands_answer_is_remembered_for_ever() -> None:
    book = Book(None)
    for number in range(2000):
        book.take(3, proposal(book.fold_of(MATCH), f"p{number}"))
    fold = book.fold_of(MATCH)
    assert fold.version_of(command_key("p0", "", "p0")) == 1
    assert fold.version_of(command_key("p1999", "", "p1999")) == 2000
    assert fold.version_of(command_key("p1999", "", "p0")) is None


@pytest.mark.parametrize(
    ("match_id", "partition"),
    [
        ("07-01J0", 7),
        ("47-x", 47),
        ("7-x", -1),
        ("007-x", -1),
        ("07", -1),
        ("07-", -1),
        ("-1-x", -1),
        ("٠٧-x", -1),
        ("", -1),
    ],
)
def test_a_match_names_its_partition(match_id: str, partition: int) -> None:
    assert partition_of(match_id) == partition


def test_tables_of_ended_matches_are_put_away_and_the_matches_stay_ended() -> None:
    with installed(game()):
        book = Book(b"k" * 32)
        for number in range(ENDED_TABLES + 2):
            match_id = f"03-{number}"
            codec = rulebook("skirmish").codec
            created = MatchCreated("skirmish", 1, "plain", {}, ("north", "south"), {}, "", False, (), 0, "k", "p", "c")
            seats = [SeatTaken(seat, seat, "ab" * 8) for seat in ("north", "south")]
            events = [created, *seats, PlayBegun(), MatchEnded("north", {}, (), "00")]
            record = log_pb2.Record(envelope_version=1, match_id=match_id, base_hash=bytes(32), proposal_id=match_id)
            record.events.extend(codec.encode(event) for event in events)
            assert book.take(3, record.SerializeToString())[0] is Verdict.ACCEPTED
        states = [fold.state for fold in book.matches.values()]
        assert all(state is not None and state.ended is not None for state in states)
        assert [state.is_put_away for state in states if state is not None] == [True, True] + [False] * ENDED_TABLES
