"""Standalone, runs inside a sandbox: gives a command a local HTTP proxy that leads outside.

Usage: ``python relay.py SOCKET -- COMMAND ...``. Listens on a port of 127.0.0.1, copies each
connection's bytes to and from the Unix socket, and becomes the command with the proxy variables
set; the copying goes on in a process beside it, which is no child of the command. Python 3.6+.
"""

import asyncio
import os
import socket
import sys

PROXY_VARIABLES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "PIP_PROXY")
LOCAL = "localhost,127.0.0.1,::1"


def main(*arguments: str) -> None:
    """Start the copying beside, and replace this process by the command."""
    path, command = arguments[0], arguments[arguments.index("--") + 1 :]
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    proxy = f"http://127.0.0.1:{listener.getsockname()[1]}"
    detach(listener, path)
    listener.close()
    os.environ.update(dict.fromkeys(PROXY_VARIABLES, proxy), no_proxy=LOCAL, NO_PROXY=LOCAL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - an argument list
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(127)


def detach(listener: socket.socket, path: str) -> None:
    """Serve in a grandchild, so that the command never finds a child that it didn't start."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # the command's, and none of the relay's business
        os.dup2(null, descriptor)
    try:
        asyncio.new_event_loop().run_until_complete(serve(listener, path))
    finally:
        os._exit(0)


async def serve(listener: socket.socket, path: str) -> None:
    """Copy connections of `listener` to and from the Unix socket at `path`, for ever."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            outer_reader, outer_writer = await asyncio.open_unix_connection(path)
        except OSError:
            writer.close()
            return
        await asyncio.wait(
            [
                asyncio.ensure_future(copy(reader, outer_writer)),
                asyncio.ensure_future(copy(outer_reader, writer)),
            ]
        )
        writer.close()
        outer_writer.close()

    await asyncio.start_server(handle, sock=listener)
    while True:
        await asyncio.sleep(3600)


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy until the end, and pass the end on."""
    try:
        while True:
            data = await reader.read(65536)
            if not data:
                break
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
