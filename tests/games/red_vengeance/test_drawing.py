"""The map as text and as a drawing, and what the game says about itself [RV 2.0]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest
from stavka.games.red_vengeance import GAME
from stavka.games.red_vengeance.ground import COMMANDERS, DATA, MAP, UNITS
from stavka.kernel.errors import MalformedCommand
from stavka.kernel.visibility import SPECTATOR, require_classified
from stavka.views.redact import redact

from tests.games.red_vengeance.field import scene
from tests.support.table import Table, given

SVG = "{http://www.w3.org/2000/svg}"


def view(table: Table) -> Mapping[str, Any]:
    seen: Mapping[str, Any] = redact(table.state, SPECTATOR, False)
    return seen


class TestDrawing:
    """RV 2.0"""

    def test_every_counter_on_the_map_is_drawn_with_its_name(self) -> None:
        table = given(begun="red_vengeance/campaign")
        root = ElementTree.fromstring(GAME.draw(view(table)))
        titles = [element.text for element in root.iter(f"{SVG}title")]
        standing = [p for p, place in table.state.at.items() if place[:1].isdigit()]
        names = [UNITS[p].name if p in UNITS else COMMANDERS[p].name for p in standing]
        assert sorted(t for t in titles if t) == sorted(names)

    def test_every_hex_is_drawn_with_its_number(self) -> None:
        root = ElementTree.fromstring(GAME.draw(view(given(begun="red_vengeance/campaign"))))
        numbers = {element.text for element in root.iter(f"{SVG}text") if element.get("class") == "number"}
        assert numbers == {h.id for h in MAP.hexes}

    def test_reduced_and_unsupplied_units_are_told_apart(self) -> None:
        root = ElementTree.fromstring(GAME.draw(view(scene("1906: ger-xiii(reduced,oos)", "0101: sov-3"))))
        titles = {element.text for element in root.iter(f"{SVG}title")}
        assert "XIII Corps (reduced, out of supply)" in titles
        factors = [e.text for e in root.iter(f"{SVG}text") if e.get("class") == "factor"]
        assert sorted(filter(None, factors)) == ["2-3", "4-3"]

    def test_what_is_no_view_is_refused(self) -> None:
        for render in (GAME.draw, GAME.chart):
            with pytest.raises(MalformedCommand) as error:
                render({"turn": "yesterday"})
            assert error.value.reason == "NOT_A_VIEW"


class TestChart:
    """RV 2.0"""

    def rows(self, table: Table) -> list[str]:
        return GAME.chart(view(table)).splitlines()

    def test_stacks_cities_control_and_terrain(self) -> None:
        text = "\n".join(self.rows(scene("1906: ger-xiii", "1905: sov-2t zhukov; 2602: sov-13(oos)")))
        assert ".S6+" in text and ".G3" in text and ".S4!" in text and ".Ber" in text and "^" in text

    def test_the_turn_and_who_must_act_stand_on_top(self) -> None:
        table = scene("1906: ger-xiii", "1904: sov-2t", phase="movement allied", turn=2)
        assert self.rows(table)[0] == GAME.headline(table.state)
        assert "July 1944" in self.rows(table)[0] and self.rows(table)[1].endswith("Allied")

    def test_what_waits_and_what_is_gone_stand_below(self) -> None:
        boxes = "track: ger-hg-pz(due5); dead: sov-3; lost: konev"
        below = self.rows(scene("1906: ger-xiii", "1904: sov-2t", boxes=boxes))[-3:]
        assert [line.split(": ")[1] for line in below] == ["ger-hg-pz (turn 5)", "sov-3", "konev"]


class TestHeadlines:
    """RV 4.0"""

    def test_set_up_phases_turns_and_the_end(self) -> None:
        setup = given(options={"setup": "players"}, begun="red_vengeance/campaign")
        assert "Set-up" in GAME.headline(setup.state)
        ended = scene("1906: ger-xiii", "1904: sov-2t", phase="victory -", turn=11).goes_on().after()
        assert GAME.headline(ended.state).startswith("Ended")
        assert GAME.headline(GAME.state()) == "Not begun"


class TestTheGameItself:
    """RV 2.0"""

    def test_everything_is_classified(self) -> None:
        require_classified([type(GAME.state()), *GAME.events, *GAME.commands])

    def test_commands_have_topics(self) -> None:
        topics = {command.__name__: topic for command, topic in GAME.commands.items()}
        assert topics["MoveUnit"] == topics["SailUnit"] == topics["RemoveExcess"] == "movement"
        assert topics["DeclareBattle"] == "combat" and topics["ChooseSeaSupply"] == "supply"
        assert topics["RebuildUnit"] == topics["PlaceUnit"] == "diplomacy"
        assert set(topics.values()) <= {"movement", "combat", "supply", "diplomacy"}

    def test_manifest_and_map_say_where_they_come_from(self) -> None:
        assert len(GAME.spaces()) == len(MAP.hexes)
        pieces = GAME.pieces()
        assert sum(int(piece.get("count", 1)) for piece in pieces) == DATA.counters
        assert all(piece["source"] for piece in pieces) and all(space.source for space in GAME.spaces())

    def test_the_rulebook_has_every_section(self) -> None:
        sections = {section["id"]: section for section in GAME.rulebook()}
        assert {"3.0", "6.42", "12.22", "15.4"} <= set(sections)
        assert {section["status"] for section in sections.values()} == {"code", "data", "none", "heading"}
