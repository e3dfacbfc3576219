"""Small git repositories made here, and a server for them on the loopback interface."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

DATE = "2020-02-03T04:05:06+00:00"
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_COMMITTER_DATE": DATE,
    "GIT_AUTHOR_DATE": DATE,
    **{f"GIT_{who}_{what}": "x@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(folder: Path, *arguments: str, data: bytes | None = None) -> str:
    """Run git and return what it prints."""
    argv = ["git", "-C", str(folder), "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(argv, env=ENVIRONMENT, input=data, capture_output=True, check=True)
    return done.stdout.decode().strip()


def repository(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Make a repository with one commit of some files."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, files)
    return folder


def commit(folder: Path, files: dict[str, str | bytes]) -> str:
    """Add files and commit all; return the commit's id."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", "some files")
    return git(folder, "rev-parse", "HEAD")


def gitlink(folder: Path, path: str, url: str, revision: str, name: str = "part") -> None:
    """Add a submodule by hand, whatever its path and URL are."""
    modules = folder / ".gitmodules"
    old = modules.read_text() if modules.exists() else ""
    modules.write_text(f'{old}[submodule "{name}"]\n\tpath = {path}\n\turl = {url}\n')
    git(folder, "add", ".gitmodules")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{revision},{path}")
    git(folder, "commit", "-q", "-m", "a submodule")


@contextmanager
def serving(folder: Path, smart: bool = True) -> Iterator[str]:
    """Serve the repositories in a folder over HTTP, by git's own program or as plain files."""

    class Smart(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            environment = {
                **ENVIRONMENT,
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": parts.path,
                "QUERY_STRING": parts.query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type") or "",
                "CONTENT_LENGTH": str(length),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
                "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
            }
            done = subprocess.run(
                ["git", "http-backend"],
                env=environment,
                input=self.rfile.read(length),
                capture_output=True,
                check=False,
            )
            head, _, body = done.stdout.partition(b"\r\n\r\n")
            lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
            self.send_response(int(lines.pop("Status", "200").split()[0]))
            for name, value in lines.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *args: object) -> None:
            pass

    class Plain(SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Smart if smart else Plain) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
