"""PyPI sdists: found through the package index, fetched as plain files, unpacked, never built."""

import hashlib
import logging
import ssl
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from thresher.errors import SourceError
from thresher.tracer.sources.fetched import Fetched

if TYPE_CHECKING:
    from httpx2 import Response
    from packaging.requirements import Requirement
    from unearth import Link
    from unearth.fetchers import Fetcher, PyPIClient

MAX_ARCHIVE = 64 << 20
HASHES = ("sha256", "sha384", "sha512", "sha224", "sha1", "md5")
# What unearth warns of becomes our error; without a handler it would land on the terminal.
logging.getLogger("unearth").addHandler(logging.NullHandler())
# It warns of requirements in other packages' metadata, which the user can do nothing about.
warnings.filterwarnings("ignore", category=FutureWarning, module=r"unearth\.")


def fetch(
    requirement: str,
    index_urls: Sequence[str],
    find_links: Sequence[str] = (),
    trusted_hosts: Sequence[str] = (),
    certificate: str = "",
) -> Fetched:
    """Find the newest sdist that satisfies a requirement and read it into memory.

    Args:
        requirement: for example ``inflection==0.5.1`` or ``humanize``.
        index_urls: simple index pages (PEP 503 or 691).
        find_links: further folders or pages holding archives.
        trusted_hosts: hosts that need no valid certificate nor HTTPS, as pip has them.
        certificate: a file of certificate authorities; the system's where it is empty.

    Raises:
        SourceError: no such package, no sdist, too large, or the index can't be reached.
    """
    import httpx2
    from packaging.utils import canonicalize_name
    from unearth.fetchers import PyPIClient

    wanted = _parse(requirement)
    hooks = {"response": [_refuse_errors]}
    try:
        verify = ssl.create_default_context(cafile=certificate) if certificate else True
        with PyPIClient(
            trusted_hosts=trusted_hosts, verify=verify, follow_redirects=True, event_hooks=hooks
        ) as session:
            # A Fetcher in all but its annotations.
            link, version = _find(cast("Fetcher", session), wanted, index_urls, find_links)
            archive = _download(session, link)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        raise SourceError(
            "index-unreachable",
            f"{requirement}: the package index didn't answer ({str(error).partition(chr(10))[0]}): "
            "check the network and `pip config list`, then run the command again",
        ) from None
    return Fetched(
        origin=f"pypi/{canonicalize_name(wanted.name)}/{version}",
        kind="sdist",
        url=link.redacted,
        revision=f"{version} sha256:{hashlib.sha256(archive).hexdigest()}",
        archive=archive,
        allowed="package index API",
        date=link.upload_time,
    )


def _parse(requirement: str) -> "Requirement":
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        wanted = Requirement(requirement)
    except InvalidRequirement:
        wanted = None
    if wanted is None or wanted.url:
        raise SourceError(
            "bad-requirement", f"{requirement}: not a requirement; write NAME or NAME==VERSION"
        )
    return wanted


def _refuse_errors(response: "Response") -> None:
    """Raise for what unearth takes for an empty page; only 404 and 410 say "no such package"."""
    if response.is_error and response.status_code not in (404, 410):
        response.raise_for_status()


def _find(
    session: "Fetcher", wanted: "Requirement", indexes: Sequence[str], links: Sequence[str]
) -> tuple["Link", str]:
    """Return where the newest matching sdist lies, and its version; a final one comes first."""
    from packaging.version import Version
    from unearth import Link, PackageFinder
    from unearth.collector import is_secure_origin

    for url in (*indexes, *links):
        if "://" in url and not is_secure_origin(session, Link(url)):
            raise ValueError(f"{url} is neither HTTPS nor a trusted host")
    finder = PackageFinder(
        session=session, index_urls=indexes, find_links=links, no_binary=[":all:"]
    )
    matches = finder.find_matches(wanted, allow_prereleases=True)
    best = max(matches, key=lambda m: not Version(m.version or "0").is_prerelease, default=None)
    if best is None or best.version is None:
        raise SourceError(
            "no-sdist",
            f"{wanted}: the package index has no such package, version or source archive: "
            "check the spelling, and that the release's files hold a .tar.gz or .zip",
        )
    return best.link, best.version


def _download(session: "PyPIClient", link: "Link") -> bytes:
    """Read an archive, no further than allowed, and check it against its index page's hash."""
    archive = bytearray()
    # Raw, since some servers call the .gz of an archive a content encoding, to be undone.
    identity = {"Accept-Encoding": "identity"}
    with session.stream("GET", link.url_without_fragment, headers=identity) as response:
        response.raise_for_status()
        for chunk in response.iter_raw():
            archive += chunk
            if len(archive) > MAX_ARCHIVE:
                raise SourceError(
                    "too-large", f"{link.filename}: over {MAX_ARCHIVE >> 20} MiB, left out"
                )
    for name, stated in (link.hash_option or {}).items():
        if name in HASHES and hashlib.new(name, archive).hexdigest() not in stated:
            raise SourceError(
                "bad-hash", f"{link.filename}: its bytes don't have the {name} its index states"
            )
    return bytes(archive)
