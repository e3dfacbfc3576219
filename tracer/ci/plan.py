"""What a CI configuration asks for: the commands that install a project and run its tests."""

from typing import NamedTuple


class Step(NamedTuple):
    """One command of a replay.

    Attributes:
        name: what it is for, as shown to the user.
        argv: the command, run in the project's folder inside the sandbox.
        installs: whether it may reach the package index.
    """

    name: str
    argv: tuple[str, ...]
    installs: bool


class Plan(NamedTuple):
    """A replay of one environment.

    Attributes:
        environment: its name.
        install: makes it.
        python: prints where its interpreter is; the recorder goes in there.
        tests: run the tests, each time under another hash seed.
    """

    environment: str
    install: Step
    python: Step
    tests: tuple[Step, ...]
