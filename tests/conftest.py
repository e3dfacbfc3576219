"""What all tests share."""

import functools

import pytest
from hypothesis import settings

from thresher.errors import SandboxUnavailable
from thresher.sandbox import walls

settings.register_profile("thresher", deadline=None)  # tests of ours never time anything
settings.load_profile("thresher")


@pytest.fixture(autouse=True, scope="session")
def _fast_wall():
    """Use the fast wall where a test doesn't say which."""
    strongest = walls.in_force

    @functools.wraps(strongest)
    def in_force(require=None):
        return strongest(require or "bubblewrap")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walls, "in_force", in_force)
        patch.setenv("THRESHER_REQUIRE", "bubblewrap")
        yield


@pytest.fixture(scope="module", params=["bubblewrap", "gvisor"])
def wall(request):
    """Run a test behind every wall that is installed; `make test` installs them all."""
    found = walls.find(request.param)
    try:
        walls.probe(found)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    return found
