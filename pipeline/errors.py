"""The two ways in which work on given material can fail, kept apart from our own bugs."""

from pathlib import Path


class InputError(Exception):
    """Something the user gave cannot be used: a file, a folder, a name, an option.

    It stops the run. The command line prints it on one line and exits with 2.

    Args:
        problem: What is wrong, in words the user knows.
        where: The file, record or field at fault; put in front of the problem.
        remedy: What to do about it; put after the problem.
    """

    def __init__(self, problem: str, *, where: str | Path = "", remedy: str = "") -> None:
        self.problem, self.where, self.remedy = problem, str(where), remedy
        located = f"{where}: {problem}" if str(where) else problem
        super().__init__(f"{located}. {remedy}" if remedy else located)

    def __reduce__(self):
        # Workers hand their exceptions to the parent process; the default would lose the keywords.
        return _rebuild_input_error, (self.problem, self.where, self.remedy)


def _rebuild_input_error(problem: str, where: str, remedy: str) -> InputError:
    return InputError(problem, where=where, remedy=remedy)


class Refusal(ValueError):
    """One text cannot be rewritten correctly, so it is left out rather than forced.

    Args:
        reason: A short phrase from a small vocabulary ("vague answer"); it is counted in funnels.
        detail: What exactly in this text ("about"); it is shown beside the text.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}" if detail else reason)

    def __reduce__(self):
        return Refusal, (self.reason, self.detail)
