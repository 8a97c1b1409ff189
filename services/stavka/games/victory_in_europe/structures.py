"""What the loaded data of Victory in Europe consists of: frozen, slotted, plain.

Areas, blocks and countries are named by their ids everywhere; mappings are read-only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coast:
    """A port and the seas that it opens on; ships in one coast do not reach another overland [VE 7.16]."""

    port: str
    kind: str
    """port, base (naval base) or red (Mideast port)."""
    seas: tuple[str, ...]
    invadable_from: frozenset[str]


@dataclass(frozen=True, slots=True)
class Area:
    id: str
    name: str
    kind: str
    """land, sea, ocean or convoy."""
    terrain: str
    stacking: int | None
    """Army blocks on land, naval units (convoy included) at sea; None = no limit."""
    small_island: bool
    country: str
    homeland: str
    """Country for which a vacant area is friendly and in which it builds; "" in colonies [VE 1.16] [VE 4.1]."""
    owner: str
    """Who controls it on the first turn of 1939."""
    capital_of: str
    major_city: bool
    factory_max: int
    resource: int
    late_winter: bool
    """Russia's homeland or Finland: the year's last turn is winter too [VE 3.4]."""
    coasts: tuple[Coast, ...]
    lat: float
    lon: float

    @property
    def is_land(self) -> bool:
        return self.kind == "land"

    @property
    def seas(self) -> tuple[str, ...]:
        """Adjoining seas over all coasts, without repeats."""
        return tuple(dict.fromkeys(sea for coast in self.coasts for sea in coast.seas))


@dataclass(frozen=True, slots=True)
class Border:
    a: str
    b: str
    terrain: str
    limit: int | None
    """Armies a battle round; None = no limit (USA to Canada)."""
    freezes: bool
    tree_lined: bool
    name: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What a link between two seas hangs on [VE 7.14]; fields as in map.toml."""

    id: str
    name: str
    shores: tuple[str, ...]
    counts: str
    needs_friendly: str
    only: str
    submarines: bool
    rule: str


@dataclass(frozen=True, slots=True)
class ConvoyZone:
    area: str
    builder: str
    receiver: str
    gives: str


@dataclass(frozen=True, slots=True)
class GameMap:
    areas: Mapping[str, Area]
    borders: Mapping[str, Mapping[str, Border]]
    """Land area -> neighbouring land area -> border, in both directions."""
    sea_links: Mapping[str, Mapping[str, Passage | None]]
    """Sea -> neighbouring sea -> the passage between them, None when open; both directions."""
    shores: Mapping[str, tuple[tuple[str, int], ...]]
    """Sea -> (land area, index of its coast)."""
    middle_east: frozenset[str]
    north_africa: frozenset[str]
    freezing_seas: frozenset[str]
    leads: Mapping[str, tuple[str, ...]]
    """Coastal area -> coastal areas that ships reach by the Norwegian Leads [VE 1.62]."""
    lake_supply: Mapping[str, tuple[str, ...]]
    alternate_supply: Mapping[str, str]
    """Power -> area [VE 1.8]."""
    convoy_zones: Mapping[str, ConvoyZone]
    ocean_cost_mp: int
    by_name: Mapping[str, str]
    """Name or printed alias -> area id."""

    def of_country(self, country: str) -> tuple[str, ...]:
        """Land areas whose country is `country`, in map order."""
        return tuple(area.id for area in self.areas.values() if area.country == country)


@dataclass(frozen=True, slots=True)
class UnitType:
    id: str
    branch: str
    primary: frozenset[str]
    secondary: frozenset[str]
    fire_at: Mapping[str, str]
    infantry: bool
    bombards: bool
    double_defense: bool
    rebuildable: bool
    stacks: bool


@dataclass(frozen=True, slots=True)
class Block:
    id: str
    name: str
    nation: str
    type: UnitType
    steps: int
    fire_class: str
    """A to D, "" when it never fires."""
    fire: int
    """Highest roll that hits a primary target, 0 when it never fires."""
    fire_at: Mapping[str, str]
    """Target -> fixed firepower ("C1"): the block's own over its type's [VE 7.21]."""
    move: int
    cost: int
    year: int
    printed: frozenset[str]
    """Fields that the rulebook prints; the rest is ours."""


@dataclass(frozen=True, slots=True)
class Terrain:
    id: str
    stop: str
    stacking: int
    border: int
    border_frozen: int | None
    defense: str


@dataclass(frozen=True, slots=True)
class Country:
    id: str
    name: str
    kind: str
    side: str
    capital: str
    section: str
    owner: str
    areas: tuple[str, ...]
    resources_axis_only: bool
    exports: tuple[tuple[str, str, int], ...]
    """(receiving power, area, resources)."""
    deploy: tuple[tuple[str, str, int], ...]
    """(area, block, steps): where a minor's blocks must stand; () = its owner of the moment chooses."""
    free_forces: tuple[str, ...]
    mobilization: tuple[tuple[str, str, int], ...]
    mobilization_factories: int
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DiplomacyTable:
    targets: Mapping[str, Mapping[str, int]]
    """Country -> player (axis, allies, soviets) -> lowest winning total; a player with no roll is absent."""
    first_year: Mapping[str, int]
    proximity: int
    rebuff: int
    defender: int
    spain_axis_if_portugal_british: int
    no_proximity: frozenset[str]


@dataclass(frozen=True, slots=True)
class Turn:
    number: int
    year: int
    season: str
    winter: str


@dataclass(frozen=True, slots=True)
class Calendar:
    turns: tuple[Turn, ...]
    """Index = number - 1."""
    deck_1939: int
    draw_1939: int
    deck: int
    draw: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A block at start: where, at how many steps (0 = a leader's zero step), and whether the row is printed."""

    block: str
    area: str
    steps: int
    source: str


@dataclass(frozen=True, slots=True)
class FactoryPlacement:
    area: str
    owner: str
    steps: int
    source: str


@dataclass(frozen=True, slots=True)
class Deployment:
    """A group that its player may rearrange before play [VE Deployment].

    kind "switch": blocks of `nations` swap places among the locations of the order of battle, each location keeping
    its number of blocks. kind "areas": they go anywhere in `areas` within stacking, at least one in each of
    `at_least_one`.
    """

    id: str
    player: str
    kind: str
    nations: tuple[str, ...]
    areas: tuple[str, ...]
    at_least_one: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    title: str
    section: str
    start_turn: int
    cards_in_hand: int
    """Cards that each side holds of the start year; the rest of that year's deck is out of play."""
    three_player_soviet_cards: int
    """How many of the Allied cards go to the Soviet player of three."""
    usa_entry_option: bool
    powers: Mapping[str, str]
    """Major -> at_war, neutral or surrendered."""
    minors: Mapping[str, str]
    """Minor -> axis, allies, soviets (allied to that player) or conquered; absent = neutral."""
    conquered_by: Mapping[str, str]
    control: Mapping[str, str]
    """Every land area -> country that controls it at start."""
    units: tuple[Placement, ...]
    factories: tuple[FactoryPlacement, ...]
    pools: Mapping[str, tuple[str, ...]]
    """Country -> blocks that it may build, now or from their year on; neutral minors: their whole garrison."""
    eliminated: tuple[str, ...]
    deployments: tuple[Deployment, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardEvent:
    """What a card does; the README gives each kind's exact meaning. Fields that a kind does not use are empty."""

    kind: str
    phase: str
    """movement, combat, supply, diplomacy or production."""
    nations: tuple[str, ...]
    types: frozenset[str]
    """Unit type ids, groups expanded; empty = every type."""
    amount: int
    units: int
    role: str
    areas: frozenset[str]
    """Empty = anywhere."""
    countries: tuple[str, ...]
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    id: str
    title: str
    year: int
    color: str
    cm: int
    weight: int
    """Designer's estimate of the event in commands, 1 to 3."""
    event: CardEvent
