"""The package index that pip uses on this host, carried into the sandbox.

What pip's configuration and the environment say becomes variables for pip and uv inside,
read-only mounts for what lies on disk, and the list of hosts the egress proxy lets through.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from thresher.errors import UsageError
from thresher.sandbox.wall import Mount

PYPI = "https://pypi.org/simple"
FILE_HOSTS = {"pypi.org": "files.pythonhosted.org", "test.pypi.org": "test-files.pythonhosted.org"}
INSIDE = "/index"
PAGES_LOOKED_AT = 20
FILE_LINK = re.compile(r"""href=["']?\.\./\.\./([^/"'.][^/"']*)/""")

Host = tuple[str, int]


class PackageIndex(NamedTuple):
    """The network policy "package index only".

    Attributes:
        env: the variables that pip, uv and requests need inside.
        mounts: certificates and local indexes, read-only, all below `INSIDE`.
        hosts: the (name, port) pairs that may be reached.
        private: the names among them that belong to the index: like for pip on the host, their
            addresses may lie in a private network.
        urls: the index URLs as the host knows them, the main one first.
        find_links: further folders or pages of archives, as the host knows them.
        trusted_hosts: hosts that need no valid certificate nor HTTPS.
        certificate: the host's file of certificate authorities, empty for its own.
    """

    env: dict[str, str]
    mounts: tuple[Mount, ...]
    hosts: frozenset[Host]
    private: frozenset[str]
    urls: tuple[str, ...]
    find_links: tuple[str, ...]
    trusted_hosts: tuple[str, ...]
    certificate: str

    def allowing(self, *hosts: Host) -> "PackageIndex":
        """Return the same policy with further (name, port) pairs that may be reached."""
        return self._replace(hosts=self.hosts | set(hosts))


def package_index(environ: Mapping[str, str] = os.environ) -> PackageIndex:
    """Read which index pip uses, from `pip config list` run with `environ` and from `environ`.

    Raises:
        UsageError: an address holds a user name or password, which must not enter a sandbox.
    """
    settings = _pip_settings(environ)
    return _Builder().build(settings, _certificate(settings, environ))


class _Builder:
    """Collects mounts and hosts while the settings are rewritten for the inside."""

    def __init__(self) -> None:
        self.mounts: list[Mount] = []
        self.hosts: set[Host] = set()

    def build(self, settings: Mapping[str, str], certificate: str) -> PackageIndex:
        main = settings.get("index-url", PYPI)
        extra = settings.get("extra-index-url", "").split()
        indexes = _present(self.index(url) for url in extra)
        links = _present(self.place(text) for text in settings.get("find-links", "").split())
        constraints = _present(self.place(text) for text in settings.get("constraint", "").split())
        trusted = settings.get("trusted-host", "").split()
        inside = self.index(main) or main
        timeout = settings.get("timeout") or settings.get("default-timeout", "")
        bundle = (self.place(certificate) or "") if certificate else ""
        env = {
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INPUT": "1",
            "PIP_INDEX_URL": inside,
            "PIP_EXTRA_INDEX_URL": " ".join(indexes),
            "PIP_FIND_LINKS": " ".join(links),
            "PIP_CONSTRAINT": " ".join(constraints),
            "PIP_TRUSTED_HOST": " ".join(trusted),
            "PIP_NO_INDEX": settings.get("no-index", ""),
            "PIP_DEFAULT_TIMEOUT": timeout,
            "UV_DEFAULT_INDEX": inside,
            "UV_INDEX": " ".join(indexes),
            "UV_INDEX_STRATEGY": "unsafe-best-match",  # what pip does
            "UV_FIND_LINKS": ",".join(links),
            "UV_CONSTRAINT": " ".join(constraints),
            "UV_INSECURE_HOST": " ".join(trusted),
            "UV_NO_CONFIG": "1",
            "UV_HTTP_TIMEOUT": timeout,
            **dict.fromkeys(("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"), bundle),
        }
        return PackageIndex(
            {name: value for name, value in env.items() if value},
            tuple(self.mounts),
            frozenset(self.hosts),
            frozenset(name for name, _ in self.hosts),
            () if settings.get("no-index") else (main, *extra),
            tuple(settings.get("find-links", "").split()),
            tuple(trusted),
            certificate,
        )

    def index(self, url: str) -> str | None:
        """Rewrite one index URL for the inside; None when it's a folder that doesn't exist."""
        if urlsplit(url).scheme != "file":
            return self.place(url)
        folder = _local_path(url)
        if not folder.is_dir():
            return None
        # A page of a local index links to ../../files/…, so those folders must come along.
        slot = self.slot()
        for name in (folder.name, *_linked_folders(folder)):
            self.mounts.append(Mount(folder.parent / name, f"{slot}/{name}"))
        return f"file://{slot}/{folder.name}"

    def place(self, text: str) -> str | None:
        """Rewrite a URL or path for the inside; None when it's a path that doesn't exist."""
        if urlsplit(text).scheme in ("http", "https"):
            self.allow(text)
            return text
        path = _local_path(text)
        if not path.exists():
            return None
        target = f"{self.slot()}/{path.name}"
        self.mounts.append(Mount(path.resolve(), target))
        return target

    def slot(self) -> str:
        return f"{INSIDE}/{len(self.mounts)}"

    def allow(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.username is not None or parts.password is not None:
            raise UsageError(
                f"the package index address for {parts.hostname} holds a user name or password, "
                "which must not enter the sandbox; use an address without one for thresher "
                "(PIP_INDEX_URL or PIP_EXTRA_INDEX_URL)"
            )
        host = (parts.hostname or "").lower()
        self.hosts.add((host, parts.port or (443 if parts.scheme == "https" else 80)))
        if host in FILE_HOSTS:
            self.hosts.add((FILE_HOSTS[host], 443))


def _pip_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Return pip's settings by their long option names, the environment's over the files'."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        capture_output=True,
        text=True,
        env=dict(environ),
        check=False,
    )
    settings = {
        name.removeprefix("PIP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("PIP_") and value
    }
    for section in ("install", "global"):
        for line in done.stdout.splitlines():
            key, _, value = line.partition("=")
            if key.startswith(f"{section}."):
                settings.setdefault(key.removeprefix(f"{section}."), str(ast.literal_eval(value)))
    return settings


def _certificate(settings: Mapping[str, str], environ: Mapping[str, str]) -> str:
    names = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
    return settings.get("cert") or next((environ[n] for n in names if environ.get(n)), "")


def _present(values: Iterator[str | None]) -> list[str]:
    return [value for value in values if value is not None]


def _local_path(text: str) -> Path:
    parts = urlsplit(text)
    return Path(unquote(parts.path) if parts.scheme == "file" else text).expanduser().absolute()


def _linked_folders(folder: Path) -> list[str]:
    """Return the names of the folders beside a local index that its pages link to."""
    pages = islice(folder.glob("*/index.html"), PAGES_LOOKED_AT)
    linked = {name for page in pages for name in FILE_LINK.findall(page.read_text())}
    return sorted(name for name in linked - {folder.name} if (folder.parent / name).is_dir())
