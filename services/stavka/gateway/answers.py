"""The read side's findings as messages. What comes in has been redacted already, or is the same for everybody."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from stavka.client.structs import fill
from stavka.kernel.game import Choice, Decision
from stavka.match.lobby import MatchEnded, MatchState
from stavka.views.store import ENDED, OPEN, PLAYING, QUARANTINED
from stavka.wire.gen.stavka.match.v1 import match_pb2

KEPT_ACTIONS: Final = 8192  # about 1 KB each

STATUS: Final[Mapping[str, match_pb2.MatchStatus]] = {
    OPEN: match_pb2.MATCH_STATUS_OPEN,
    PLAYING: match_pb2.MATCH_STATUS_PLAYING,
    ENDED: match_pb2.MATCH_STATUS_ENDED,
    QUARANTINED: match_pb2.MATCH_STATUS_QUARANTINED,
}
STATUS_NAMES: Final = {number: name for name, number in STATUS.items()}


def seats(state: MatchState) -> list[match_pb2.Seat]:
    """The seats of a match, in the scenario's order."""
    return [
        match_pb2.Seat(
            seat=name, player=state.players.get(name, ""), taken=name in state.entropy, resigned=name in state.resigned
        )
        for name in state.seats
    ]


def match(state: MatchState, version: int, head: bytes, status: str, headline: str) -> match_pb2.Match:
    """A match in short."""
    found = match_pb2.Match(
        match_id=state.match_id, game=state.game, ruleset=state.ruleset, scenario=state.scenario,
        options=state.options, seats=seats(state), version=version, head=head, status=STATUS[status],
        headline=headline, analysis=state.analysis, spectator_delay=state.spectator_delay,
        key_id=state.key_id, public_key=state.public_key,
    )  # fmt: skip
    if state.ended is not None:
        found.result.CopyFrom(result(state.ended))
    return found


def result(ended: MatchEnded) -> match_pb2.Result:
    """How a match ended."""
    return match_pb2.Result(
        winner=ended.winner,
        points=ended.points,
        reasons=[
            match_pb2.ResultReason(rule=rule, side=side, points=points, what=what)
            for rule, side, points, what in ended.reasons
        ],
    )


def decision(found: Decision) -> match_pb2.Decision:
    """One open decision."""
    return match_pb2.Decision(
        decision_id=found.id, seat=found.seat, kind=found.kind, rule=found.rule, commands=found.commands,
        prompt=found.prompt,
    )  # fmt: skip


def choice(found: Choice, limit: int, seed: int) -> match_pb2.Choice:
    """A decision with its options, or a uniform sample of `limit` of them (0: all), in the order of the rules."""
    options: Sequence[object] = found.options
    complete = found.complete
    if limit and len(options) > limit:
        chance = random.Random(f"{found.decision.id} {seed}")
        options = [options[index] for index in sorted(chance.sample(range(len(options)), limit))]
        complete = False
    answer = match_pb2.Choice(decision=decision(found.decision), complete=complete, enumerated=len(found.options))
    answer.options.extend(_action(option) for option in options)
    if found.domain:
        fill(answer.domain, msgspec.to_builtins(found.domain))
    return answer


def _action(option: object) -> match_pb2.Action:
    """A legal command as a message. The next question about a match mostly has the same options again."""
    try:
        return _kept_action(option)
    except TypeError:  # a command with a mapping in it cannot be a key
        return _new_action(option)


def _new_action(option: object) -> match_pb2.Action:
    action = match_pb2.Action(command=type(option).__name__)
    fill(action.arguments, msgspec.to_builtins(option))
    return action


_kept_action = lru_cache(KEPT_ACTIONS)(_new_action)


def history_record(view: Mapping[str, Any]) -> match_pb2.HistoryRecord:
    """A record as `stavka.views.redact.record_view` gives it."""
    record = match_pb2.HistoryRecord(
        version=view["version"], head=bytes.fromhex(view["head"]), decided_at_ms=view["decided_at_ms"],
        topic=view["topic"], seat=view["seat"], command_id=view.get("command_id", ""),
        rolls=[_roll(roll) for roll in view["rolls"]],
    )  # fmt: skip
    if "command" in view:
        _fact(record.command, view["command"])
    for event in view["events"]:
        _fact(record.events.add(), event)
    return record


def _fact(target: match_pb2.Fact, view: Mapping[str, Any]) -> None:
    target.type = view["type"]
    fill(target.fields, view["fields"])


def _roll(view: Mapping[str, Any]) -> match_pb2.Roll:
    if view["hidden"]:
        return match_pb2.Roll(purpose=view["purpose"], kind=view["kind"], hidden=True)
    return match_pb2.Roll(
        purpose=view["purpose"], kind=view["kind"], count=view["count"], sides=view["sides"], results=view["results"],
        input=view.get("input", "").encode(), signature=bytes.fromhex(view.get("signature", "")),
    )  # fmt: skip
