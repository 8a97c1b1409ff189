"""Victory in Europe's ready set-ups: legal by the rules of stacking, control, supply, and as the war of 1939 begins."""

from __future__ import annotations

from collections import Counter

import pytest
from stavka.games.victory_in_europe import load
from stavka.games.victory_in_europe.structures import Scenario

from .atlas import MAP, PLAYER, neighbours


def player_of(country: str, scenario: Scenario) -> str:
    """Whose friend a country is: a player, or the country itself while it is neutral."""
    standing = scenario.minors.get(country, "neutral")
    return PLAYER.get(country) or (country if standing in ("neutral", "conquered") else standing)


def owner_of_block(nation: str, scenario: Scenario) -> str:
    """Free forces of conquered nations fight for Britain [VE 11.42]."""
    gone = scenario.minors.get(nation) == "conquered" or scenario.powers.get(nation) == "surrendered"
    return "britain" if gone else nation


@pytest.mark.parametrize("name", load.scenarios())
class TestSetups:
    """VE Deployment: each ready set-up is legal."""

    def test_steps_and_years(self, name: str) -> None:
        """VE 2.1, VE 2.2."""
        scenario = load.scenario(name)
        year = load.calendar().turns[scenario.start_turn - 1].year
        for unit in scenario.units:
            block = load.blocks()[unit.block]
            assert (0 if block.type.id == "leader" else 1) <= unit.steps <= block.steps
            assert block.year <= year

    def test_stacking(self, name: str) -> None:
        """VE 1.1, VE 1.15, VE 4.5, VE 5.7, VE 6.12, VE 7.12, VE 7.22, VE 7.8."""
        stacks: Counter[tuple[str, str]] = Counter()
        for unit in load.scenario(name).units:
            kind = load.blocks()[unit.block].type
            branch = "leader" if kind.id == "leader" else kind.branch
            stacks[unit.area, "naval" if branch == "convoy" else branch] += 1
            assert branch in ("air", "naval", "convoy") or MAP.areas[unit.area].is_land
        for (place, branch), count in stacks.items():
            area = MAP.areas[place]
            limit = {"leader": 1, "air": 1, "army": area.stacking}.get(branch, 3)
            if branch == "naval" and area.is_land:
                limit = 2 if any(c.kind == "base" for c in area.coasts) else min(1, len(area.coasts))
            if place != "usa" and limit is not None:
                assert count <= limit, (place, branch)

    def test_units_stand_on_friendly_ground(self, name: str) -> None:
        """VE 4.1, VE 1.17."""
        scenario = load.scenario(name)
        for unit in scenario.units:
            if MAP.areas[unit.area].is_land:
                nation = owner_of_block(load.blocks()[unit.block].nation, scenario)
                holder = scenario.control[unit.area]
                assert player_of(holder, scenario) == player_of(nation, scenario), unit

    def test_seas_hold_one_side(self, name: str) -> None:
        """VE 1.6."""
        scenario = load.scenario(name)
        holders: dict[str, set[str]] = {}
        for unit in scenario.units:
            if not MAP.areas[unit.area].is_land:
                nation = owner_of_block(load.blocks()[unit.block].nation, scenario)
                holders.setdefault(unit.area, set()).add(player_of(nation, scenario))
        assert all(len(players) == 1 for players in holders.values())

    def test_convoys_sail_in_their_zone(self, name: str) -> None:
        """VE 7.8."""
        for unit in load.scenario(name).units:
            block = load.blocks()[unit.block]
            if block.type.id == "convoy":
                assert unit.area == unit.block.split("_", 1)[1]
                assert MAP.convoy_zones[unit.area].builder == block.nation

    def test_factories_within_their_city(self, name: str) -> None:
        """VE 1.42, VE 11.31, VE 13 United States."""
        scenario = load.scenario(name)
        for factory in scenario.factories:
            assert 1 <= factory.steps <= MAP.areas[factory.area].factory_max
            assert scenario.control[factory.area] == factory.owner
        if scenario.powers["united_states"] == "neutral":
            assert sum(f.steps for f in scenario.factories if f.owner == "united_states") <= 8

    def test_blocks_are_conserved(self, name: str) -> None:
        """VE 2.1: on the map, in one pool, or gone with a conquered nation; never in two places."""
        scenario = load.scenario(name)
        places = Counter(u.block for u in scenario.units)
        places.update(scenario.eliminated)
        for pool in scenario.pools.values():
            places.update(pool)
        assert max(places.values()) == 1
        for block in set(load.blocks()) - set(places):
            nation = load.blocks()[block].nation
            assert scenario.minors.get(nation) or scenario.powers.get(nation) == "surrendered"

    def test_control_covers_the_land(self, name: str) -> None:
        """VE 4.1: every land area, and no country that is gone holds one."""
        scenario = load.scenario(name)
        assert set(scenario.control) == {a.id for a in MAP.areas.values() if a.is_land}
        gone = {c for c, s in scenario.minors.items() if s == "conquered"}
        gone |= {c for c, s in scenario.powers.items() if s == "surrendered"}
        assert not gone & set(scenario.control.values())

    def test_axis_land_is_supplied(self, name: str) -> None:
        """VE 8.1: no Axis or Soviet army block starts cut off by land or vacant sea, but for the city of Leningrad."""
        scenario = load.scenario(name)
        capital = {"axis": ("berlin", "rome"), "soviets": ("moscow", "urals")}
        hostile_seas: dict[str, set[str]] = {}
        for unit in scenario.units:
            if not MAP.areas[unit.area].is_land:
                nation = owner_of_block(load.blocks()[unit.block].nation, scenario)
                hostile_seas.setdefault(unit.area, set()).add(player_of(nation, scenario))
        for player, roots in capital.items():
            todo = [root for root in roots if player_of(scenario.control[root], scenario) == player]
            seen = set(todo)
            while todo:
                here = todo.pop()
                for near in neighbours(here) | set(MAP.lake_supply.get(here, ())):
                    land = MAP.areas[near].is_land
                    open_ = (
                        player_of(scenario.control[near], scenario) == player
                        if land
                        else hostile_seas.get(near, {player}) == {player}
                    )
                    if near not in seen and open_:
                        seen.add(near)
                        todo.append(near)
            for unit in scenario.units:
                block = load.blocks()[unit.block]
                if block.type.branch == "army" and player_of(block.nation, scenario) == player:
                    assert unit.area in seen, unit

    def test_deployment_groups_name_known_things(self, name: str) -> None:
        """VE Deployment, VE 13 Poland."""
        for group in load.scenario(name).deployments:
            assert set(group.nations) <= set(load.countries())
            assert set(group.areas) <= set(MAP.areas)
            assert set(group.at_least_one) <= set(group.areas)


class TestCampaignStart:
    """VE Introduction, VE 13 Poland, VE 13 Bessarabia."""

    def test_who_is_at_war(self) -> None:
        """VE Introduction."""
        powers = load.scenario("campaign_1939").powers
        assert {p for p, standing in powers.items() if standing == "at_war"} == {"germany", "britain", "france"}
        assert load.scenario("campaign_1939").minors == {"poland": "allies"}

    def test_soviet_markers_of_the_pact(self) -> None:
        """VE 13 Baltic States, VE 13 Bessarabia, VE 13 Poland, VE 13 Soviet Union."""
        scenario = load.scenario("campaign_1939")
        for area in ("riga", "lithuania", "vilna", "brest_litovsk", "lvov", "bessarabia"):
            assert scenario.control[area] == "soviet_union"
            assert MAP.areas[area].homeland == ""

    def test_a_pole_stands_in_warsaw(self) -> None:
        """VE 13 Poland, VE 10.3."""
        scenario = load.scenario("campaign_1939")
        poles = {u.area for u in scenario.units if load.blocks()[u.block].nation == "poland"}
        assert "warsaw" in poles and poles <= set(load.countries()["poland"].areas)
