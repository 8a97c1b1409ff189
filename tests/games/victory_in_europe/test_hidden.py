"""What others read of a move: a nation and two places, whatever the block is [VE 2.0] [VE 4.4] [VE 6.21]."""

from __future__ import annotations

from typing import Any

import pytest
from stavka.games.victory_in_europe import GAME
from stavka.games.victory_in_europe.events import BlocksHidden, BlocksShown
from stavka.games.victory_in_europe.moves import MoveBlock
from stavka.kernel.dice import SeededRoll
from stavka.kernel.visibility import SPECTATOR, Viewer, seat
from stavka.views.redact import fact, facts, redact

from tests.support.table import Table

from .field import scene, targets

OTHERS = (seat("allied"), SPECTATOR)


def read(table: Table, command: Any, viewer: Viewer) -> Any:
    """Command, events and the state afterwards, as a viewer reads them."""
    events = GAME.decide(table.state, command.seat, command, SeededRoll(b"hidden"))
    after = table.state.copy()
    for event in events:
        after = GAME.evolve(after, event)
    decisions = [d.id for d in GAME.decisions(after)]
    return fact(command, viewer, False), facts(events, viewer, False), redact(after, viewer, False), decisions


def moved(blocks: str, block: str, *path: str, by: str = "move", **more: Any) -> dict[str, Any]:
    table = scene(blocks, **more)
    return {repr(viewer): read(table, MoveBlock("axis", block, path, by), viewer) for viewer in OTHERS}


class TestMoves:
    """VE 2.0"""

    @pytest.mark.parametrize(
        ("block", "other"),
        [("ger_inf_1a", "ger_pz_1a"), ("ger_inf_1a", "ger_ldr_guderian"), ("ger_inf_1a", "ger_inf_3a")],
    )
    def test_an_army_is_like_another(self, block: str, other: str) -> None:
        quiet = [moved(f"[axis]\nberlin: {b}", b, "berlin", "leipzig") for b in (block, other)]
        assert quiet[0] == quiet[1]
        blocks = "[axis]\nfrankfurt: {}\n[allied]\nmetz: fra_inf_1a"
        attack = [moved(blocks.format(b), b, "frankfurt", "metz") for b in (block, other)]
        assert attack[0] == attack[1]

    def test_an_air_raid_looks_like_an_attack_on_the_ground(self) -> None:
        """VE 6.21"""
        blocks = "[axis]\nfrankfurt: {}\n[allied]\nmetz: fra_inf_1a"
        ground, air = (moved(blocks.format(b), b, "frankfurt", "metz") for b in ("ger_inf_1a", "ger_db_ju87"))
        assert ground == air

    def test_a_rebasing_aircraft_looks_like_a_marching_army(self) -> None:
        army = moved("[axis]\nberlin: ger_inf_1a", "ger_inf_1a", "berlin", "leipzig")
        air = moved("[axis]\nberlin: ger_fa_me109_1", "ger_fa_me109_1", "berlin", "leipzig", by="rebase")
        assert army == air

    def test_the_owner_reads_it_all(self) -> None:
        table = scene("[axis]\nberlin: ger_inf_1a")
        command, events, view, _ = read(table, MoveBlock("axis", "ger_inf_1a", ("berlin", "leipzig")), seat("axis"))
        assert command["fields"]["block"] == events[0]["fields"]["block"] == "ger_inf_1a"
        assert "ger_inf_1a" in view["blocks"]["seen"]


class TestPositions:
    """VE 2.0"""

    def test_an_enemys_block_is_a_place_and_a_nationality(self) -> None:
        view = redact(scene("[axis]\nberlin: ger_inf_1a(3)").state, seat("allied"), False)
        assert view["blocks"] == {
            "seen": {},
            "unseen": [{"at": "berlin", "came": "", "nation": "germany", "seat": "axis", "shown": [], "side": "axis"}],
        }

    def test_nothing_tells_blocks_of_a_nation_in_one_place_apart(self) -> None:
        one = scene("[axis]\nberlin: ger_inf_1a(3) ger_pz_1a(1)").state
        other = scene("[axis]\nberlin: ger_inf_3a(1) ger_db_ju87(2)").state
        for viewer in OTHERS:
            assert redact(one, viewer, False) == redact(other, viewer, False)

    def test_spectators_see_neither_side(self) -> None:
        view = redact(scene("[axis]\nberlin: ger_inf_1a\n[allied]\nlondon: bri_inf_bef").state, SPECTATOR, False)
        assert view["blocks"]["seen"] == {}
        assert all("hand" not in camp and "pool" not in camp for camp in view["camps"].values())


class TestFollowing:
    """Nobody can follow a block of others by anything but his eyes [VE 2.0]."""

    PLACES = ("leipzig", "breslau")

    def played(self, viewer: Viewer, *order: str) -> list[Any]:
        """Two blocks leave Berlin, each for one of the two places; what the viewer reads, record by record."""
        table = scene("[axis]\nberlin: ger_inf_1a ger_pz_1a ger_inf_3a")
        heard = []
        for block, place in zip(order, self.PLACES, strict=True):
            command = MoveBlock("axis", block, ("berlin", place), "move")
            heard.append(read(table, command, viewer))
            table = table.when(command, "axis").includes()
        return heard

    @pytest.mark.parametrize("viewer", OTHERS)
    def test_of_three_blocks_that_scatter_nobody_knows_which_went_where(self, viewer: Viewer) -> None:
        blocks = ("ger_inf_1a", "ger_pz_1a", "ger_inf_3a")
        heard = [self.played(viewer, a, b) for a in blocks for b in blocks if a != b]
        assert all(each == heard[0] for each in heard)
        assert not any(block in repr(heard) for block in blocks)

    @pytest.mark.parametrize("viewer", OTHERS)
    def test_a_block_that_was_shown_is_lost_among_others_again(self, viewer: Viewer) -> None:
        """Once hidden, the one that fought and the one that did not are the same to the enemy, whichever goes on."""
        table = scene("[axis]\nfrankfurt: ger_inf_1a(2) ger_inf_3a\n[allied]\nmetz: fra_inf_1a")
        shown = table.state.copy()
        for event in (BlocksShown("frankfurt", ("axis", "allied"), ("ger_inf_1a",)), BlocksHidden("frankfurt")):
            shown = GAME.evolve(shown, event)
        assert redact(shown, viewer, False) == redact(table.state, viewer, False)
        heard = [
            read(Table(GAME, shown), MoveBlock("axis", block, ("frankfurt", "leipzig"), "move"), viewer)
            for block in ("ger_inf_1a", "ger_inf_3a")
        ]
        assert heard[0] == heard[1]

    def test_ids_of_others_stand_in_no_refusal_but_those_that_were_asked(self) -> None:
        table = scene("[axis]\nberlin: ger_inf_1a\n[allied]\nmetz: fra_inf_1a")
        answers = []
        for block in ("ger_inf_1a", "ger_inf_3a", "no_such_block"):
            error = table.when(MoveBlock("allied", block, ("berlin", "leipzig"), "move"), "allied").error
            answers.append(f"{error!r} {error.details}".replace(block, "*"))  # type: ignore[union-attr]
        assert len(set(answers)) == 1


class TestOptions:
    """VE 4.4"""

    def test_ones_options_do_not_depend_on_what_the_enemy_is(self) -> None:
        blocks = "[axis]\nruhr: ger_inf_1a ger_mb_he111_1\n[allied]\nmetz: {}\nnorth_sea: {}"
        tables = [
            scene(blocks.format(a, b)) for a, b in (("fra_inf_1a", "bri_ca_1"), ("fra_fa_d520", "bri_nb_sunderland"))
        ]
        assert GAME.legal(tables[0].state, "axis") == GAME.legal(tables[1].state, "axis")
        assert targets(tables[0], "ger_mb_he111_1") == targets(tables[1], "ger_mb_he111_1")
