"""What happens to a unit that suffers, in battle or elsewhere [RV 8.51, RV 10.14, RV 11.31].

    lose_step(draft, unit, cause)      flips or removes it
    remove(draft, unit, cause)         removes it whatever its steps

Both follow up on minor powers. What becomes of commanders in the stack is added by `combat.leaders`.
"""

from __future__ import annotations

from stavka.games.red_vengeance import minors
from stavka.games.red_vengeance.events import StepLost, UnitRemoved
from stavka.games.red_vengeance.state import DEAD, LOST, State
from stavka.kernel.draft import Draft


def lose_step(draft: Draft[State], unit: str, cause: str, *, out_of_supply: bool | None = None) -> None:
    """One step loss [RV 8.51]. See `remove` for `out_of_supply`."""
    left = draft.state.steps[unit] - 1
    if left > 0:
        draft.emit(StepLost(unit, left))
    else:
        remove(draft, unit, cause, out_of_supply=out_of_supply)


def remove(draft: Draft[State], unit: str, cause: str, *, out_of_supply: bool | None = None) -> None:
    """Remove a unit: for good if it was out of supply [RV 10.14].

    `out_of_supply` is the status found by the check before the battle [RV 8.45]; None: as marked in the last Command
    Phase.
    """
    if out_of_supply is None:
        out_of_supply = unit in draft.state.oos
    draft.emit(UnitRemoved(unit, LOST if out_of_supply else DEAD, cause))
    minors.unit_removed(draft, unit)
