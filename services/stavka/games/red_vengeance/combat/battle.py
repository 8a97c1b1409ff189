"""What combat keeps in the state: the battle being fought, and what this phase and the match have used up.

    Battle          the battle on top of the stack, from its declaration to the last advance [RV 8.4 to RV 8.7]
    Casualties      hits that a side has still to take outside of a battle [RV 11.5, RV 11.7]
    Fight           the record of the present combat phase, and what happens once a turn or once a match

The roles of a battle are ATTACKER and DEFENDER; the sides are "axis" and "allied".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from stavka.kernel.visibility import Public

ATTACKER: Final = "attacker"
DEFENDER: Final = "defender"
HITLER: Final = "hitler"
"""Stands in `Battle.leaders` and `Fight.attacked` for the commander without a counter [RV 11.27]."""


@dataclass(frozen=True, slots=True)
class Battle:
    """One battle. Hexes are printed codes, units and commanders ids.

    number        counts the battles of the match from 1; part of roll labels
    attacker      side that attacks
    exploitation  whether it is fought in an Exploitation Combat Phase
    targets       attacked hexes, in reading order
    attackers     attacking units, in counter order; losses do not take them off this list
    defenders     all units of the attacked hexes, in counter order
    leaders       commanders with the attacking units who have not attacked in this phase yet, and HITLER
    places        unit or commander -> hex in which the battle found it, commanders of the attacked hexes included
    oos           units of the battle out of supply when it began [RV 8.45]; lost for good if removed [RV 10.14]
    air           whether an air power point is in it [RV 12.1]
    naval         whether the Black Sea Fleet helps the attack [RV 12.21]
    support       dice that the navy gives to the Axis defense [RV 12.22]
    hits          role -> hits that this role has suffered; empty before the dice
    order         roles that have still to take their losses, the present one first [RV 8.54]
    left          hits that the present role has still to take or to avoid
    lost          steps that the present role has lost [RV 8.6]
    retreat       hexes that the present role's survivors retreat [RV 8.61, RV 8.62]
    leaving       survivors of the present role that have not retreated yet
    short         unit -> hexes that its retreat fell short [RV 8.65]; in the step "shortfall", hits that it may take
    embarked      hexes from which a unit has retreated by sea, one entry a unit [RV 12.22]
    fled          roles whose retreat was ordered: they may not advance [RV 8.7]
    wounded       units that have lost a step in this battle
    advanced      attackers that have advanced
    """

    number: Public[int]
    attacker: Public[str]
    exploitation: Public[bool]
    targets: Public[tuple[str, ...]]
    attackers: Public[tuple[str, ...]]
    defenders: Public[tuple[str, ...]]
    leaders: Public[tuple[str, ...]]
    places: Public[dict[str, str]]
    oos: Public[frozenset[str]]
    air: Public[bool] = False
    naval: Public[bool] = False
    support: Public[int] = 0
    hits: Public[dict[str, int]] = field(default_factory=dict)
    order: Public[tuple[str, ...]] = ()
    left: Public[int] = 0
    lost: Public[int] = 0
    retreat: Public[int] = 0
    leaving: Public[tuple[str, ...]] = ()
    short: Public[dict[str, int]] = field(default_factory=dict)
    embarked: Public[tuple[str, ...]] = ()
    fled: Public[frozenset[str]] = frozenset()
    wounded: Public[frozenset[str]] = frozenset()
    advanced: Public[frozenset[str]] = frozenset()

    @property
    def role(self) -> str:
        """Role that takes its losses or retreats now; "" before the dice and when both are done."""
        return self.order[0] if self.order else ""

    def units(self, role: str) -> tuple[str, ...]:
        """Units that entered the battle in a role, living or not."""
        return self.attackers if role == ATTACKER else self.defenders

    def side(self, role: str) -> str:
        """Side that plays a role."""
        if role == ATTACKER:
            return self.attacker
        return "allied" if self.attacker == "axis" else "axis"


@dataclass(frozen=True, slots=True)
class Casualties:
    """Hits on the Axis units of one hex that no battle caused. `rule` cites the cause, `cause` is its word."""

    rule: Public[str]
    cause: Public[str]
    hex: Public[str]
    hits: Public[int]


@dataclass(frozen=True, slots=True)
class Fight:
    """What combat remembers. The first group is for the present combat phase, then one for the turn, the rest for ever.

    attacked         units and commanders that have attacked [RV 8.42]
    defended         units that have been attacked [RV 8.1]
    black_sea        whether the Black Sea Fleet has helped an attack [RV 12.21]
    baltic           whether the navy has helped an Axis defense [RV 12.22]
    raided           whether the Western Allies' raids of this phase have been set out [RV 11.5]
    raids            map-edge hexes that they have still to strike
    casualties       hits being taken outside of a battle
    into_yugoslavia  Soviet units that have attacked into Yugoslavia in this turn [RV 11.42]
    battles          battles declared so far in the match
    levied           cities whose defenders have had their levies' die [RV 11.8]
    risen            whether Warsaw has risen [RV 11.7]
    order_obeyed     whether the offensive of RV 11.9 has been carried out
    order_judged     whether it has been looked at, in March
    bulge_attacked   pieces of RV 14.6 that have attacked in a Combat Phase
    bulge_exploited  pieces of RV 14.6 that have attacked in an Exploitation Combat Phase
    """

    attacked: Public[frozenset[str]] = frozenset()
    defended: Public[frozenset[str]] = frozenset()
    black_sea: Public[bool] = False
    baltic: Public[bool] = False
    raided: Public[bool] = False
    raids: Public[tuple[str, ...]] = ()
    casualties: Public[Casualties | None] = None
    into_yugoslavia: Public[frozenset[str]] = frozenset()
    battles: Public[int] = 0
    levied: Public[frozenset[str]] = frozenset()
    risen: Public[bool] = False
    order_obeyed: Public[bool] = False
    order_judged: Public[bool] = False
    bulge_attacked: Public[frozenset[str]] = frozenset()
    bulge_exploited: Public[frozenset[str]] = frozenset()

    def at_phase(self, turn: int, phase: str, side: str) -> Fight:
        """The record as a phase begins: the phase's part is clean, in the Allied Command Phase the turn's part too."""
        clean = replace(
            self,
            attacked=frozenset(),
            defended=frozenset(),
            black_sea=False,
            baltic=False,
            raided=False,
            raids=(),
            casualties=None,
        )
        return replace(clean, into_yugoslavia=frozenset()) if (phase, side) == ("supply", "allied") else clean
