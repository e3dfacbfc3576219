"""References that read their surroundings, keep state between calls, or change their arguments."""

from tests.planted.build import Planted, function


def environment(text, *calls) -> Planted:
    return function("flaky: environment", text, calls, recorded=True)


def place(text, *calls) -> Planted:
    return function("flaky: locale and zone", text, calls, recorded=True)


def files(text, *calls) -> Planted:
    return function("flaky: files", text, calls, recorded=True)


PROBLEMS = [
    environment(
        '''
import os


def config_path(name: str) -> str:
    """Return where the settings of a program are kept."""
    return os.path.join(os.path.expanduser("~"), ".config", name + ".ini")
''',
        ("editor",),
        ("mail",),
        ("",),
    ),
    environment(
        '''
import os


def absolute(name: str) -> str:
    """Return the absolute form of a path."""
    return os.path.abspath(name)
''',
        ("notes.txt",),
        ("a/../b",),
        ("/etc/hosts",),
    ),
    environment(
        '''
import getpass


def signed(text: str) -> str:
    """Sign a text with the name of the user."""
    try:
        return f"{text} -- {getpass.getuser()}"
    except (KeyError, OSError, ImportError):
        return f"{text} -- unknown"
''',
        ("hello",),
        ("",),
        ("see you",),
    ),
    environment(
        '''
import socket


def node_label(port: int) -> str:
    """Label a server by the name of this computer and its port."""
    return f"{socket.gethostname()}:{port}"
''',
        (80,),
        (0,),
        (65535,),
    ),
    environment(
        '''
import os


def worker_count(limit: int) -> int:
    """Return how many workers to start: one per processor that may be used, but at most a limit."""
    return min(limit, len(os.sched_getaffinity(0)) + 1)
''',
        (1,),
        (64,),
        (1000,),
    ),
    environment(
        '''
import os


def expand(template: str) -> str:
    """Replace the variables of the environment in a template."""
    return os.path.expandvars(template)
''',
        ("$HOME/bin",),
        ("${PATH}",),
        ("nothing here",),
    ),
    environment(
        '''
import os


def verbose(default: bool) -> list[str]:
    """List the names of all set variables that a log shows when it is verbose, and the default."""
    return [*sorted(os.environ), str(default)]
''',
        (True,),
        (False,),
    ),
    environment(
        '''
import shutil


def tool_path(tool: str, fallback: str) -> str:
    """Return where a tool is installed, or the fallback where it isn't."""
    return shutil.which(tool) or fallback
''',
        ("env", "no env"),
        ("sh", "no shell"),
        ("surely-no-tool", "none"),
    ),
    place(
        '''
import time


def clock_time(seconds: int) -> str:
    """Write a moment in seconds since 1970 as hours and minutes."""
    return time.strftime("%H:%M", time.localtime(seconds))
''',
        (0,),
        (86399,),
        (1700000000,),
    ),
    place(
        '''
import datetime


def seconds_of(year: int, month: int, day: int) -> int:
    """Return the seconds from 1970 until midnight at the beginning of a day."""
    return int(datetime.datetime(year, month, day).timestamp())
''',
        (1970, 1, 2),
        (2024, 7, 1),
        (2000, 2, 29),
    ),
    place(
        '''
import time


def zone_note(text: str) -> str:
    """Add the name of the time zone to a text."""
    return f"{text} ({time.tzname[0]}, {time.timezone // 60} min)"
''',
        ("noon",),
        ("",),
        ("late",),
    ),
    place(
        '''
import locale


def preferred_codec(text: str) -> str:
    """Name the encoding that a text would be written to a file with, and the language set."""
    return f"{text}: {locale.getlocale(locale.LC_CTYPE)[0]} {locale.setlocale(locale.LC_ALL, '')}"
''',
        ("letter",),
        ("",),
        ("memo",),
    ),
    place(
        '''
import email.utils


def mail_date(seconds: int) -> str:
    """Write a moment as mails do."""
    return email.utils.formatdate(seconds, localtime=True)
''',
        (0,),
        (951782400,),
        (1720000000,),
    ),
    files(
        '''
import os


def is_first_run(name: str) -> bool:
    """Tell whether a program of some name runs for the first time, and remember that it did."""
    marker = f"/tmp/.{name}.first-run"
    if os.path.exists(marker):
        return False
    open(marker, "w").close()
    return True
''',
        ("editor",),
        ("editor",),
        ("mail",),
    ),
    files(
        '''
import os
import tempfile


def next_number(step: int) -> int:
    """Return a number that goes up by a step with each call, kept in a file."""
    path = os.path.join(tempfile.gettempdir(), "number.txt")
    last = int(open(path).read()) if os.path.exists(path) else 0
    with open(path, "w") as file:
        file.write(str(last + step))
    return last + step
''',
        (1,),
        (1,),
        (10,),
    ),
    files(
        '''
import tempfile


def scratch_name(suffix: str) -> str:
    """Make a scratch file and return its name."""
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        return file.name
''',
        (".txt",),
        ("",),
        (".bin",),
    ),
    files(
        '''
import os


def newest_log(prefix: str) -> str:
    """Return the name of the last of the files in the folder at hand that begins with a prefix."""
    open(f"{prefix}{len(os.listdir('.'))}.log", "w").close()
    return max(name for name in os.listdir(".") if name.startswith(prefix))
''',
        ("a",),
        ("b",),
        ("a",),
    ),
    files(
        '''
import os


def inode_of(text: str) -> int:
    """Write a text to a file and return the number that the file system gave it."""
    with open("/tmp/note.txt", "w") as file:
        file.write(text)
    status = os.stat("/tmp/note.txt")
    return status.st_ino + status.st_mtime_ns
''',
        ("x",),
        ("",),
        ("longer text",),
    ),
]
