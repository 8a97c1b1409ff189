"""Combat phases in random positions: never a dead end, every listed option accepted, stacks and sides kept apart."""

import random
from collections.abc import Iterator

import pytest
from stavka.games.red_vengeance.board import BIT, board_of
from stavka.games.red_vengeance.combat.declare import DeclareBattle
from stavka.games.red_vengeance.ground import COUNTRY, GRID, LAND, UNITS, YUGOSLAV_ROUGH
from stavka.games.red_vengeance.state import ALLIED, AXIS, State
from stavka.kernel.dice import SeededRoll
from stavka.kernel.errors import IllegalAction
from stavka.kernel.game import Choice

from tests.games.red_vengeance.combat.scene import scene
from tests.support.table import Table

PHASES = ("combat allied", "combat axis", "exploitation_combat allied", "exploitation_combat axis")
STEPS_AT_MOST = 2000
SEEDS = range(24)


def allowed(unit: str, code: str) -> bool:
    datum = UNITS[unit]
    if datum.nation == "soviet" and BIT[code] & YUGOSLAV_ROUGH:
        return False
    return not datum.home or bool(BIT[code] & COUNTRY[datum.home])


def melee(rng: random.Random) -> Table:
    """One or two units in each of some hexes around a random one, commanders among them, in a random combat phase."""
    center = rng.choice(GRID.codes(LAND))
    area = list(GRID.codes(GRID.within(BIT[center], 2) & LAND))
    rng.shuffle(area)
    lines: dict[str, dict[str, list[str]]] = {AXIS: {}, ALLIED: {}}
    pools = {side: [u for u, d in UNITS.items() if d.side == side] for side in lines}
    for number, code in enumerate(area):
        side = (AXIS, ALLIED, rng.choice((AXIS, ALLIED, "")))[min(number, 2)]
        for _ in range(rng.randint(1, 2) if side else 0):
            fit = [u for u in pools[side] if allowed(u, code)]
            unit = rng.choice(fit)
            pools[side].remove(unit)
            reduced = UNITS[unit].steps > 1 and rng.random() < 0.4
            lines[side].setdefault(code, []).append(f"{unit}(reduced)" if reduced else unit)
    lines[ALLIED][rng.choice(list(lines[ALLIED]))].append(rng.choice(("zhukov", "konev", "tito")))
    phase = rng.choice(PHASES)
    text = {
        side: "; ".join(f"{code}: {' '.join(units)}" for code, units in found.items()) for side, found in lines.items()
    }
    return scene(
        text[AXIS],
        text[ALLIED],
        phase=phase,
        turn=rng.randint(1, 11),
        weather=rng.choice(("clear", "snow")),
        options={"combined_arms": rng.choice(("on", "off"))},
        sea=rng.choice(("german_lake", "soviet_subs", "light_surface", "heavy_surface")),
        air=rng.randint(0, 2),
    )


def choices(table: Table, state: State, roll: SeededRoll) -> Iterator[Choice]:
    """Each decision of the phase in turn; the state goes on with what the caller has applied."""
    phase = state.frames[1]
    for _ in range(STEPS_AT_MOST):
        if state.frames[1] != phase:
            return
        events = table.game.react(state, roll)
        if events:
            assert not table.game.decisions(state), "a decision is open while the referee goes on"
            for event in events:
                table.game.evolve(state, event)
            continue
        (choice,) = (c for seat in (AXIS, ALLIED) for c in table.game.legal(state, seat))
        assert choice.options
        yield choice
    raise AssertionError("the phase does not end")


def check_stacks(state: State) -> None:
    board = board_of(state)
    assert not board.units[AXIS] & board.units[ALLIED]
    for code, pieces in board.stacks.items():
        assert sum(p in UNITS and UNITS[p].size != "division" for p in pieces) <= 2, code


@pytest.mark.parametrize("seed", SEEDS)
def test_a_combat_phase_comes_to_its_end(seed: int) -> None:
    rng = random.Random(seed)
    table = melee(rng)
    state, roll = table.state.copy(), SeededRoll(str(seed).encode())
    for choice in choices(table, state, roll):
        seat = choice.decision.seat
        assert len(set(choice.options)) == len(choice.options)
        for option in rng.sample(choice.options, min(len(choice.options), 30)):
            assert table.game.decide(state, seat, option, SeededRoll(b"trial"))
        for event in table.game.decide(state, seat, rng.choice(choice.options), roll):
            table.game.evolve(state, event)
        check_stacks(state)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_complete_list_of_battles_is_complete(seed: int) -> None:
    """Whatever is not listed is refused."""
    rng = random.Random(seed)
    table = melee(rng)
    state = table.state.copy()
    units = {side: [u for u, d in UNITS.items() if d.side == side and state.at[u] in BIT] for side in (AXIS, ALLIED)}
    for choice in choices(table, state, SeededRoll(str(seed).encode())):
        if not choice.complete or "DeclareBattle" not in choice.decision.commands:
            return
        seat = choice.decision.seat
        hexes = sorted({state.at[u] for u in units[ALLIED if seat == AXIS else AXIS]})
        for _ in range(60):
            attackers = sorted(rng.sample(units[seat], rng.randint(1, min(3, len(units[seat])))), key=list(UNITS).index)
            targets = sorted(rng.sample(hexes, rng.randint(1, min(2, len(hexes)))))
            command = DeclareBattle(tuple(targets), tuple(attackers), rng.random() < 0.3, rng.random() < 0.2)
            try:
                table.game.decide(state, seat, command, SeededRoll(b"trial"))
                accepted = True
            except IllegalAction:
                accepted = False
            assert accepted == (command in choice.options), command
        return
