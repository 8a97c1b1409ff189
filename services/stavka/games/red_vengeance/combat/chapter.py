"""Combat as a chapter of the game: which frames it answers for, and who acts in them [RV 8.0, RV 11.5, RV 11.7, RV 11.27].

    FRAMES COMMANDS react decisions legal     the contract of `sequence`
    odds                                      explanation of a battle

Steps of the frame "battle": support (the navy joins the defense), roll, losses, retreat, shortfall (hits that a barred
retreat leaves), and after both roles advance. What each step does stands in the module of its sections.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Final

from stavka.games.red_vengeance.combat import advance, declare, dice, losses, options, retreat, special
from stavka.games.red_vengeance.combat.dice import odds
from stavka.games.red_vengeance.combat.leaders import judge_hitler
from stavka.games.red_vengeance.sequence import advance as next_phase
from stavka.games.red_vengeance.state import State
from stavka.kernel.chapters import Handler
from stavka.kernel.draft import Draft
from stavka.kernel.game import Choice, Decision

__all__ = ["COMMANDS", "FRAMES", "decisions", "legal", "odds", "react"]

FRAMES: Final = frozenset({"bombing", "hitler", "combat", "exploitation_combat", "battle", "casualties", "uprising"})
COMMANDS: Final[dict[type, Handler]] = {
    **declare.COMMANDS,
    **dice.COMMANDS,
    **losses.COMMANDS,
    **retreat.COMMANDS,
    **advance.COMMANDS,
    **special.COMMANDS,
}

_STEPS: Final[Mapping[str, ModuleType]] = {
    "support": dice,
    "losses": losses,
    "shortfall": losses,
    "retreat": retreat,
    "advance": advance,
}
"""Step of a battle -> module with its `awaits`, `decisions`, `legal` and, but for the first, `progress`."""


def react(draft: Draft[State]) -> None:
    """One piece of automatic progress of the top frame; nothing when a seat must act."""
    _REACT[draft.state.frames[-1].kind](draft)


def _phase(draft: Draft[State]) -> None:
    """The raids of April 1945 first; a phase without an attack to make or to choose ends itself."""
    if special.raids_due(draft.state):
        special.raid(draft)
    elif not options.awaits(draft.state):
        special.end_phase(draft)


def _battle(draft: Draft[State]) -> None:
    step = draft.state.frames[-1].step
    if step == "roll":
        dice.roll(draft)
    elif step != "support":
        _STEPS[step].progress(draft)


def _bombing(draft: Draft[State]) -> None:
    special.bomb_dresden(draft)
    next_phase(draft)


def _hitler(draft: Draft[State]) -> None:
    judge_hitler(draft)
    next_phase(draft)


_REACT: Final[Mapping[str, Callable[[Draft[State]], None]]] = {
    "bombing": _bombing,
    "hitler": _hitler,
    "combat": _phase,
    "exploitation_combat": _phase,
    "battle": _battle,
    "casualties": losses.progress,
    "uprising": special.rise,
}


def _asks(state: State) -> ModuleType | None:
    """Module of the present question, which tells by `awaits` whether it is open; None for frames without any."""
    frame = state.frames[-1]
    if frame.kind == "battle":
        return _STEPS.get(frame.step)
    return {"combat": options, "exploitation_combat": options, "casualties": losses, "uprising": special}.get(
        frame.kind
    )


def decisions(state: State) -> tuple[Decision, ...]:
    module = _asks(state)
    return module.decisions(state) if module is not None and module.awaits(state) else ()


def legal(state: State) -> tuple[Choice, ...]:
    module = _asks(state)
    return module.legal(state) if module is not None and module.awaits(state) else ()
