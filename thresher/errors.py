"""Every error thresher raises on purpose.

ThresherError
├── UsageError            wrong command, option or configuration            exit 2
├── WorkspaceError        the workspace can't be opened, written or trusted exit 2
│   └── WorkspaceBusy     another process is writing it
├── SandboxUnavailable    no wall works on this host                         exit 2
├── InfrastructureError   a sandbox or model failed; never a verdict         retried
│   └── ModelError        the model can't be used
│       └── ModelDown     nor for any other problem now
└── SourceError           one input can't be used; the run goes on           exit 1

Each message says what happened, to which input, and what to do.
"""


class ThresherError(Exception):
    """Base of all errors meant for the user; shown as one sentence, never a traceback."""

    exit_code = 2


class UsageError(ThresherError):
    """The command, an option or the configuration is wrong."""


class WorkspaceError(ThresherError):
    """The workspace can't be opened, written or trusted."""


class WorkspaceBusy(WorkspaceError):
    """Another process is writing the workspace."""


class SandboxUnavailable(ThresherError):
    """No sandbox wall works on this host."""


class InfrastructureError(ThresherError):
    """A sandbox or a model failed on its own; says nothing about the code it ran."""


class ModelError(InfrastructureError):
    """The reference model can't be reached or refused the request."""


class ModelDown(ModelError):
    """The reference model can't be used for any problem now; asking on would waste time."""


class SourceError(ThresherError):
    """One input can't be used; it is recorded with its reason and the run goes on.

    Attributes:
        reason: a short code the funnel counts by, for example ``no-sdist``.
    """

    exit_code = 1

    def __init__(self, reason: str, message: str) -> None:
        # Names in archives may hold bytes that are no text; what is stored must be.
        super().__init__(message.encode("utf-8", "replace").decode())
        self.reason = reason
