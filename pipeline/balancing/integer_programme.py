"""Integer programmes that are nearly networks: the relaxed solution is nearly whole already."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Terms = dict[int, float]

# How far from the optimum, relatively, a solution may be.
_GAP = 1e-4
# Variables that the relaxed solution leaves at 0, but would hardly lose by using, in cost units.
_HARDLY_WORSE = 0.05


@dataclass(slots=True)
class IntegerProgramme:
    """Variables from 0 up with costs, and rows that bound weighted sums of them."""

    costs: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    rows: list[tuple[Terms, float, float]] = field(default_factory=list)

    def variable(self, cost: float, upper: float, *, whole: bool = False) -> int:
        """Add a variable between 0 and `upper`; gives its number."""
        self.costs.append(cost)
        self.upper.append(upper)
        self.whole.append(whole)
        return len(self.costs) - 1

    def bound(self, terms: Terms, low: float, high: float) -> None:
        """Add the row low <= sum of coefficient * variable <= high."""
        self.rows.append((terms, low, high))

    def optimum(self) -> list[int]:
        """The cheapest values of the whole variables, to one part in ten thousand (others: 0).

        A general solver spends most of its time on finding out that there is nothing to branch
        on. So the relaxed programme comes first; where it is not whole, only variables near its
        solution are free, and all of them only where that is not good enough.

        Raises:
            RuntimeError: The programme contradicts itself.
        """
        from scipy.optimize import linprog

        matrix, low, high = self._constraints()
        equal = low == high
        below, above = ~equal & np.isfinite(high), ~equal & np.isfinite(low)
        relaxed = linprog(
            self.costs,
            A_ub=_stack(matrix[below], -matrix[above]),
            b_ub=np.concatenate([high[below], -low[above]]),
            A_eq=matrix[equal],
            b_eq=low[equal],
            bounds=np.column_stack([np.zeros(len(self.upper)), self.upper]),
            method="highs",
        )
        if relaxed.x is None:
            raise RuntimeError(f"the balance could not be solved: {relaxed.message}")
        if np.allclose(relaxed.x[self.whole], np.round(relaxed.x[self.whole]), atol=1e-6):
            return self._counts(relaxed.x)
        near = (relaxed.x > 1e-9) | (relaxed.lower.marginals < _HARDLY_WORSE)
        enough = relaxed.fun + max(_GAP * abs(relaxed.fun), _HARDLY_WORSE)
        answer = self._solve(np.where(near, self.upper, 0), matrix, low, high)
        if answer.x is None or answer.fun > enough:
            answer = self._solve(np.array(self.upper), matrix, low, high)
        if answer.x is None:
            raise RuntimeError(f"the balance could not be solved: {answer.message}")
        return self._counts(answer.x)

    def _constraints(self) -> tuple[Any, np.ndarray, np.ndarray]:
        from scipy.sparse import csr_array

        cells = [
            (row, variable, coefficient)
            for row, (terms, *_) in enumerate(self.rows)
            for variable, coefficient in terms.items()
        ]
        rows, columns, values = zip(*cells, strict=True)
        matrix = csr_array((values, (rows, columns)), shape=(len(self.rows), len(self.costs)))
        _, low, high = zip(*self.rows, strict=True)
        return matrix, np.array(low, dtype=float), np.array(high, dtype=float)

    def _solve(self, upper: np.ndarray, matrix: Any, low: np.ndarray, high: np.ndarray) -> Any:
        from scipy.optimize import Bounds, LinearConstraint, milp

        return milp(
            np.array(self.costs),
            integrality=np.array(self.whole, dtype=int),
            bounds=Bounds(0, upper),
            constraints=LinearConstraint(matrix, low, high),
            options={"mip_rel_gap": _GAP},
        )

    def _counts(self, values: np.ndarray) -> list[int]:
        return [round(x) if whole else 0 for x, whole in zip(values, self.whole, strict=True)]


def _stack(first: Any, second: Any) -> Any:
    from scipy.sparse import vstack

    return vstack([first, second], format="csr")
