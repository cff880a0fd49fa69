# SPDX-License-Identifier: MIT
"""What can go wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._run import Run


class SaltusError(Exception):
    """The base of all errors of Saltus but wrong arguments, which are ValueError or TypeError."""


class SaltusWarning(UserWarning):
    """What `warnings` tells about a run: it stopped early, an assertion of level warning, ..."""


class Diagnostic(NamedTuple):
    """An error, warning or note about a model.

    ``caret`` has the line of the text and the mark below it, as a terminal would show them.
    """

    severity: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    caret: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file is not None else ""
        return f"{place}{self.severity}: {self.message}" + (f"\n{self.caret}" if self.caret else "")


_HEAD = re.compile(
    r"(?:(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): |saltus: )?"
    r"(?P<severity>error|warning|note): (?P<message>.*)"
)


def read_diagnostics(text: str) -> list[Diagnostic]:
    """Messages of the compiler, one by one."""
    found: list[Diagnostic] = []
    for line in text.splitlines():
        head = _HEAD.fullmatch(line)
        if head:
            number, column = head["line"], head["column"]
            found.append(
                Diagnostic(
                    head["severity"],
                    head["message"],
                    head["file"],
                    int(number) if number else None,
                    int(column) if column else None,
                    "",
                )
            )
        elif line.strip() and found:
            caret = found[-1].caret
            found[-1] = found[-1]._replace(caret=f"{caret}\n{line}" if caret else line)
    return found


class ModelError(SaltusError):
    """A model has errors.

    ``diagnostics`` has all of them, with warnings and notes; ``file``, ``line``, ``column`` and
    ``caret`` are those of the first error (None and "" where it has no place).
    """

    def __init__(self, text: str) -> None:
        super().__init__(text.rstrip("\n"))
        self.diagnostics = read_diagnostics(text)
        first = next((d for d in self.diagnostics if d.severity == "error"), None)
        self.message: str = first.message if first else text.strip()
        self.file: str | None = first.file if first else None
        self.line: int | None = first.line if first else None
        self.column: int | None = first.column if first else None
        self.caret: str = first.caret if first else ""

    def __str__(self) -> str:
        return "\n" + str(self.args[0]) if self.file is not None else str(self.args[0])

    def __reduce__(self):
        return (ModelError, (self.args[0],))


class SimulationError(SaltusError):
    """A run failed. ``run`` has what there is up to that time; None if it did not begin."""

    def __init__(self, message: str, time: float | None = None, run: Run | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.time = time
        self.run = run

    def __reduce__(self):
        return (SimulationError, (self.message, self.time, self.run))
