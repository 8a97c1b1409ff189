"""Area maps: named spaces of several kinds, joined by typed links.

    Space(name, kind)   Link(a, b, kind)                what the map's data hands in; links run both ways
    border(a, b)                                        the pair that names what lies between two spaces, order ignored
    AreaMap(spaces, links)
      .all .index .code .bit .mask .codes .adjacent .neighbors .expand     as on a hex grid, over links of every kind
      .kinds .kind(kind) .kind_of(name)                 kinds of space; the set of a kind; the kind of one space
      .link_kinds(a, b)                                 kinds of the links between two spaces, as declared; () for none
      .graph(kinds, closed=()) -> AreaGraph             the same spaces over links of these kinds only
    AreaGraph
      .all .index .code .bit .mask .codes .adjacent .neighbors .expand
      .without(borders) -> AreaGraph                    the same with some borders closed (used up, held by the enemy)
      .linked(a, b)

Supply and retreat searches take an AreaGraph or an AreaMap as they take a HexGrid. Reading order is the order of
declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stavka.kernel.errors import MalformedCommand
from stavka.kernel.spaces import indices


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the map. `kind` is the game's word: land, sea, convoy zone."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Link:
    """A way between two spaces, in both directions. `kind` is the game's word: clear, river, strait, coast, sea."""

    a: str
    b: str
    kind: str


Border = tuple[str, str]


def border(a: str, b: str) -> Border:
    """The pair of names in alphabetical order, so that a border has one spelling."""
    return (a, b) if a <= b else (b, a)


class AreaGraph:
    """Spaces and the links that may be used just now. Immutable; made by AreaMap.graph and .without."""

    __slots__ = ("_index", "_links", "_names", "all")

    def __init__(self, names: Sequence[str], links: Sequence[int]) -> None:
        """`links[i]` is the set of the spaces linked to space i; `names[i]` its name."""
        self._names = tuple(names)
        self._links = tuple(links)
        self._index = {name: index for index, name in enumerate(self._names)}
        self.all = (1 << len(self._names)) - 1

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def index(self, code: str) -> int:
        """Bit index of a name. Raises MalformedCommand UNKNOWN_SPACE."""
        try:
            return self._index[code]
        except KeyError:
            raise MalformedCommand("UNKNOWN_SPACE", f"there is no space {code}", space=code) from None

    def code(self, index: int) -> str:
        """Name of a bit index."""
        return self._names[index]

    def bit(self, code: str) -> int:
        """Set that holds just this space. Raises MalformedCommand UNKNOWN_SPACE."""
        return 1 << self.index(code)

    def mask(self, codes: Iterable[str]) -> int:
        """Set of the named spaces. Raises MalformedCommand UNKNOWN_SPACE."""
        bits = 0
        for code in codes:
            bits |= 1 << self.index(code)
        return bits

    def codes(self, bits: int) -> tuple[str, ...]:
        """Names of a set, in the order of declaration. Bits off the map are left out."""
        return tuple(self._names[index] for index in indices(bits & self.all))

    def adjacent(self, code: str) -> int:
        """Set of the spaces linked to one space."""
        return self._links[self.index(code)]

    def neighbors(self, index: int) -> tuple[int, ...]:
        """Indices of the spaces linked to one, ascending."""
        return tuple(indices(self._links[index]))

    def linked(self, a: str, b: str) -> bool:
        """Whether one step leads from `a` to `b`. Raises MalformedCommand UNKNOWN_SPACE."""
        return bool(self.adjacent(a) & self.bit(b))

    def expand(self, bits: int) -> int:
        """Set of all spaces linked to at least one space of `bits`; some of `bits` may be among them."""
        found, links = 0, self._links
        bits &= self.all
        while bits:
            low = bits & -bits
            found |= links[low.bit_length() - 1]
            bits ^= low
        return found

    def without(self, borders: Iterable[Border]) -> AreaGraph:
        """The same graph with these borders closed in both directions; a border without a link is ignored.

        Raises MalformedCommand UNKNOWN_SPACE.
        """
        links = list(self._links)
        for a, b in borders:
            links[self.index(a)] &= ~self.bit(b)
            links[self.index(b)] &= ~self.bit(a)
        return AreaGraph(self._names, links)


class AreaMap(AreaGraph):
    """The whole map: the graph of all its links, and the kinds of its spaces and links."""

    __slots__ = ("_between", "_kind_of", "_kinds")

    def __init__(self, spaces: Iterable[Space], links: Iterable[Link]) -> None:
        """Raises ValueError: a name twice, a link to an unknown space or to itself, the same link twice."""
        declared = tuple(spaces)
        names = [space.name for space in declared]
        place = {name: index for index, name in enumerate(names)}
        if len(place) != len(names):
            raise ValueError(f"a space is declared twice: {sorted({name for name in names if names.count(name) > 1})}")
        between: dict[Border, tuple[str, ...]] = {}
        joined = [0] * len(names)
        for link in links:
            if link.a not in place or link.b not in place or link.a == link.b:
                raise ValueError(f"a {link.kind} link joins {link.a} and {link.b}: not two spaces of the map")
            pair = border(link.a, link.b)
            if link.kind in between.get(pair, ()):
                raise ValueError(f"the {link.kind} link of {link.a} and {link.b} is declared twice")
            between[pair] = (*between.get(pair, ()), link.kind)
            joined[place[link.a]] |= 1 << place[link.b]
            joined[place[link.b]] |= 1 << place[link.a]
        super().__init__(names, joined)
        self._between: Mapping[Border, tuple[str, ...]] = between
        self._kind_of = {space.name: space.kind for space in declared}
        self._kinds: dict[str, int] = {}
        for space in declared:
            self._kinds[space.kind] = self._kinds.get(space.kind, 0) | 1 << place[space.name]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of space on this map, in the order of first appearance."""
        return tuple(self._kinds)

    def kind(self, kind: str) -> int:
        """Set of the spaces of a kind. Raises KeyError for a kind that the map has not."""
        return self._kinds[kind]

    def kind_of(self, name: str) -> str:
        """Kind of a space. Raises MalformedCommand UNKNOWN_SPACE."""
        return self._kind_of[self.code(self.index(name))]

    def link_kinds(self, a: str, b: str) -> tuple[str, ...]:
        """Kinds of the links between two spaces; () when they are not linked."""
        return self._between.get(border(a, b), ())

    def graph(self, kinds: Iterable[str], closed: Iterable[Border] = ()) -> AreaGraph:
        """The same spaces over links of these kinds only, less the closed borders.

        Raises MalformedCommand UNKNOWN_SPACE for a closed border of an unknown space.
        """
        wanted = frozenset(kinds)
        links = [0] * len(self._names)
        for (a, b), between in self._between.items():
            if not wanted.isdisjoint(between):
                links[self._index[a]] |= 1 << self._index[b]
                links[self._index[b]] |= 1 << self._index[a]
        graph = AreaGraph(self._names, links)
        return graph.without(closed) if closed else graph
