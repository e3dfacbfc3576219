"""Planted functions: `UNSTABLE`, whose answers depend on what no caller gives, and `INNOCENT`,
which look like it and don't. Each is a text of functions of which ``f`` is called, by kind.
"""

from collections.abc import Iterator
from typing import NamedTuple

NUMBERS = (3, 10, 25)
WORDS = ("banana", "kiwi and lime", "apple pie, plums")
LISTS = ([3, 1, 2], [5, 4, 4, 9, 0], [7, 8, 1, 6, 2, 9])


class Planted(NamedTuple):
    """One function, its calls' only arguments, and whether cases say what becomes of these."""

    kind: str
    source: str
    arguments: tuple[object, ...]
    after: bool = False


def _planted(kinds: dict[str, tuple[tuple[object, ...], str]]) -> Iterator[Planted]:
    for kind, (arguments, text) in kinds.items():
        for source in text.strip("\n").split("\n---\n"):
            yield Planted(kind.partition(" ")[0], source + "\n", arguments, "after" in kind)


UNSTABLE = tuple(
    _planted(
        {
            "hash": (
                WORDS,
                """
def f(x):
    return list(set(x))
---
def f(x):
    return list(frozenset(x.split()) | {"red", "green", "blue"})
---
def f(x):
    return next(iter(set(x)))
---
def f(x):
    return "".join({*x, "z", "y"})
---
def f(x):
    return hash(x)
---
def f(x):
    return hash(x) % 5
---
def f(x):
    return hash((x, len(x))) & 7
---
def f(x):
    return {c: i for i, c in enumerate(set(x))}
---
def f(x):
    return min(set(x), key=x.count)
---
def f(x):
    return {"yes", "no"}.pop()
---
def f(x):
    a, *rest = set(x)
    return a
---
def f(x):
    return sorted(set(x), key=x.count)
---
def f(x):
    return str(set(x))
---
def f(x):
    return [c for c in {"north", "south"} if c]
---
def f(x):
    seen = set()
    for c in set(x):
        seen.add(c)
        if len(seen) == 2:
            return sorted(seen)
---
def f(x):
    return list(dict.fromkeys(set(x)))
---
def f(x):
    from collections import Counter
    return Counter(set(x)).most_common(1)
---
import functools
def f(x):
    return functools.reduce(lambda a, b: a * 31 % 1000 + ord(b), set(x), 7)
---
def f(x):
    return repr(frozenset(x.split()) | {"p", "q", "r"})
---
def f(x):
    return list(set(x) - {"a"}) + list({"u", "v", "w"})
---
def f(x):
    return [w for w in {"on", "off"}][0]
---
import enum
class Color(enum.Enum):
    RED = 1
    BLUE = 2
    GREEN = 3
def f(x):
    return [c.name for c in {Color.RED, Color.BLUE, Color.GREEN}]
---
def f(x):
    return [list(t) for t in {("a", 1), ("b", 2), ("c", 3)}]
---
import dataclasses
@dataclasses.dataclass(frozen=True)
class P:
    n: str
def f(x):
    return [p.n for p in {P(c) for c in x}]
---
def f(x):
    g = {"a": {"b", "c", "d"}, "b": {"e"}, "c": {"e"}, "d": {"e"}, "e": set()}
    seen, todo = [], ["a"]
    while todo:
        n = todo.pop()
        if n not in seen:
            seen.append(n)
            todo.extend(g[n])
    return seen
---
import json
def f(x):
    return json.dumps(list(set(x.split())))
---
def f(x):
    return sorted(x.split(), key=hash)
---
def f(x):
    return {None, "a", "b", 3, ()}.pop()
""",
            ),
            "hash floats": (
                ([0.1, 0.7, 1e16, 3.3, -1e16],),
                """
def f(x):
    return sum(float(text) for text in {str(e) for e in x})
---
def f(x):
    total = 0.0
    for text in {repr(v) for v in x}:
        total = total * 0.1 + float(text)
    return total
""",
            ),
            "memory": (
                NUMBERS,
                """
def f(x):
    return id(object()) // 16 % 1009
---
def f(x):
    return repr(object())
---
class Thing:
    pass
def f(x):
    return str(Thing())
---
def f(x):
    return repr(lambda: x)
---
def f(x):
    a, b = object(), object()
    return [id(a) // 64 % 97 for _ in range(x)]
---
class Node:
    pass
def f(x):
    nodes = [Node() for _ in range(x + 5)]
    place = {id(n): i for i, n in enumerate(nodes)}
    return [place[id(n)] for n in set(nodes)]
---
def f(x):
    try:
        raise ValueError(object())
    except ValueError as error:
        return str(error)
---
import sys
def f(x):
    def deeper(n):
        try:
            return deeper(n + 1)
        except RecursionError:
            return n
    return deeper(0)
---
import inspect
def f(x):
    return len(inspect.stack())
---
import gc
def f(x):
    return len(gc.get_objects())
---
import gc
def f(x):
    return gc.get_count()[0]
---
import sys
def f(x):
    return sys.getrefcount(None)
---
import sys
LIST = []
def f(x):
    return sys.getrefcount(LIST)
---
import sys
def f(x):
    return sys.getallocatedblocks()
---
import weakref
class Pair:
    pass
def f(x):
    dead = []
    for _ in range(x * 30):
        a = Pair()
        a.self = a
        dead.append(weakref.ref(a))
    return sum(r() is not None for r in dead)
---
import gc
def f(x):
    return gc.isenabled(), gc.get_threshold()
---
def f(x):
    return hash(object) % 8 + hash(f) % 64
---
def f(x):
    return [type(e).__name__ for e in sorted([object(), object], key=id)], id(f) // 16 % 31
---
import sys
def f(x):
    depth, frame = 0, sys._getframe()
    while frame:
        depth, frame = depth + 1, frame.f_back
    return depth
---
def f(x):
    def g():
        yield 1
    return str(g())
---
class K:
    pass
def f(x):
    return sorted([K(), K(), K()], key=id)[0].__class__.__name__ + hex(id(K))
---
def f(x):
    return sum(hash(object()) % 2 for _ in range(x))
---
import traceback
def f(x):
    return len(traceback.extract_stack())
---
def f(x):
    return str(type("T", (), {})()).split(" at ")[1][:6]
---
def f(x):
    class A: pass
    objs = [A() for _ in range(6)]
    return [objs.index(o) for o in {*objs}]
---
import functools
def f(x):
    return repr(functools.partial(max, 1)) + repr(iter([x]))
---
import gc
def f(x):
    return gc.collect()
---
import sys, io
def f(x):
    return hash(io.StringIO()) % 1000
""",
            ),
            "clock": (
                NUMBERS,
                """
import time
def f(x):
    return int(time.time())
---
import time
def f(x):
    return time.time_ns() % 1000
---
import datetime
def f(x):
    return datetime.date.today().isoformat()
---
import datetime
def f(x):
    return datetime.datetime.now().year + x
---
import datetime
def f(x):
    return "morning" if datetime.datetime.now().hour < 12 else "evening"
---
import datetime
def f(x):
    return datetime.datetime.now().weekday() >= 5
---
import time
def f(x):
    return time.strftime("%B")
---
import time
def f(x):
    return time.localtime().tm_yday > 180
---
import datetime
def f(x):
    born = datetime.date(2000 + x, 1, 1)
    return (datetime.date.today() - born).days // 365
---
import datetime
def f(x):
    now = datetime.datetime.now()
    return x if now.hour else -x
---
from datetime import datetime
def f(x):
    return datetime.utcnow().minute % 2
---
import calendar, datetime
def f(x):
    return calendar.isleap(datetime.date.today().year)
---
import time
START = time.time()
def f(x):
    return round(time.time() - START, 6)
---
import datetime
def f(x):
    return datetime.datetime.now(datetime.timezone.utc).strftime("%A")
---
import time
def f(x):
    return time.ctime()[:3]
---
from datetime import date
def f(x):
    expires = date(2027, 1, 31)
    return "expired" if date.today() > expires else "valid"
---
import time
def f(x):
    return time.gmtime().tm_mon in (12, 1, 2)
---
import email.utils
def f(x):
    return email.utils.formatdate()[:16]
---
import datetime
def f(x):
    return datetime.datetime.now().microsecond > 500000
---
import time
def f(x):
    t = time.time()
    y = sum(range(x))
    return y if time.time() - t < 1 else None
---
import datetime
def f(x):
    return datetime.date.today().weekday() == 0
---
import datetime
def f(x):
    return datetime.date.today().month == 2
---
import datetime
def f(x):
    n = datetime.datetime.now()
    return n.hour == 0 and n.minute == 0
---
import datetime
def f(x):
    t = datetime.date.today()
    return (t.month, t.day) == (2, 29)
---
import datetime
def f(x):
    return datetime.date.today().year >= 2030
---
import datetime
def f(x):
    return (datetime.datetime(2026, 12, 25) - datetime.datetime.now()).days < 0
---
import datetime
def f(x):
    return datetime.date.today().day == 13 and datetime.date.today().weekday() == 4
---
import datetime
def f(x):
    return datetime.datetime.now().hour in (9, 10)
---
import time, hashlib
def f(x):
    return hashlib.md5(str(time.time() // 60).encode()).hexdigest()[0]
""",
            ),
            "random": (
                NUMBERS,
                """
import random
def f(x):
    return random.random()
---
import random
def f(x):
    return random.randint(0, x)
---
import random
def f(x):
    return random.choice("ab")
---
import random
def f(x):
    values = list(range(x))
    random.shuffle(values)
    return values
---
import random
def f(x):
    return x if random.random() < 0.98 else -x
---
import random, time
def f(x):
    random.seed(time.time())
    return random.randrange(1000)
---
import random
def f(x):
    return random.Random().getrandbits(16)
---
import os
def f(x):
    return os.urandom(4)
---
import os
def f(x):
    return os.urandom(1)[0] > 127
---
import uuid
def f(x):
    return str(uuid.uuid4())
---
import uuid
def f(x):
    return str(uuid.uuid1())
---
import uuid
def f(x):
    return uuid.uuid4().int % 3
---
import secrets
def f(x):
    return secrets.token_hex(x)
---
import secrets
def f(x):
    return secrets.choice(range(x))
---
import random
def f(x):
    return sum(random.random() for _ in range(200)) > 100
---
import tempfile, os
def f(x):
    with tempfile.NamedTemporaryFile() as file:
        return os.path.basename(file.name)
---
import random
def f(x):
    inside = sum(random.random() ** 2 + random.random() ** 2 < 1 for _ in range(100))
    return round(4 * inside / 100, 1)
---
import random
R = random.SystemRandom()
def f(x):
    return R.randrange(x + 1)
---
import random
def f(x):
    return x if random.random() > 0.01 else 0
---
import random
def f(x):
    return random.random() < 0.004
---
import random
def f(x):
    return sorted(random.sample(range(4), 2))
---
import random
def f(x):
    random.seed()
    return random.gauss(0, 1) > 3
---
import random
def f(x):
    n = 561 + 2 * x
    return all(pow(random.randrange(2, n - 1), n - 1, n) == 1 for _ in range(1))
---
import uuid
def f(x):
    return uuid.getnode()
---
import string, random
def f(x):
    return "".join(random.choices(string.ascii_letters, k=x))
""",
            ),
            "random after": (
                LISTS,
                """
import random
def f(x):
    random.shuffle(x)
---
import random
def f(x):
    x[random.randrange(len(x))] = 0
    return len(x)
""",
            ),
            "state": (
                NUMBERS,
                """
calls = 0
def f(x):
    global calls
    calls += 1
    return calls
---
calls = 0
def f(x):
    global calls
    calls += 1
    return x if calls <= 3 else -x
---
def f(x, seen=[]):
    seen.append(x)
    return len(seen)
---
def f(x, memo={}):
    return memo.setdefault("first", x)
---
def f(x):
    f.calls = getattr(f, "calls", 0) + 1
    return f.calls * x
---
def make():
    total = 0
    def add(x):
        nonlocal total
        total += x
        return total
    return add
f = make()
---
class Counter:
    made = 0
    def __init__(self):
        Counter.made += 1
def f(x):
    Counter()
    return Counter.made
---
import itertools
ids = itertools.count()
def f(x):
    return next(ids)
---
def numbers():
    yield from range(10**6)
stream = numbers()
def f(x):
    return next(stream) + x
---
cache = {}
def f(x):
    hit = x in cache
    cache[x] = True
    return hit
---
import functools
@functools.lru_cache
def slow(x):
    return x * x
def f(x):
    slow(x)
    return slow.cache_info().hits
---
import random
random.seed(1)
def f(x):
    return random.randrange(1000)
---
import random
R = random.Random(7)
def f(x):
    return R.random()
---
import warnings
registry = {}
warnings.simplefilter("default")
def f(x):
    with warnings.catch_warnings(record=True) as caught:
        shown = len(registry)
        warnings.warn_explicit("old", UserWarning, "m.py", 1, registry=registry)
    return shown
---
log = []
def f(x):
    log.append(x)
    return sorted(log)
---
last = None
def f(x):
    global last
    previous, last = last, x
    return previous
---
pool = list(range(100))
def f(x):
    return pool.pop()
---
import collections
recent = collections.deque(maxlen=5)
def f(x):
    recent.append(x)
    return sum(recent)
---
import threading
def f(x):
    return threading.Thread().name
---
import decimal
def f(x):
    decimal.getcontext().prec += 1
    return str(decimal.Decimal(1) / x)
---
def f(x):
    f.__doc__ = (f.__doc__ or "") + "."
    return len(f.__doc__)
---
counter = {"n": 0}
def f(x):
    counter["n"] += 1
    return x + (counter["n"] % 10 == 0)
---
class Pool:
    free = [1, 2, 3]
    def take(self):
        return self.free.pop() if self.free else None
def f(x):
    return Pool().take()
---
import sys
def f(x):
    sys.setrecursionlimit(sys.getrecursionlimit() + 1)
    return sys.getrecursionlimit()
---
hits = []
def f(x):
    hits.append(x)
    return x if len(hits) < 40 else None
---
seen = set()
def f(x):
    if x in seen:
        return "again"
    seen.add(x)
    return "new"
---
import functools
@functools.lru_cache(2)
def g(x):
    return [x]
def f(x):
    r = g(x)
    r.append(1)
    return len(r)
---
class S:
    _it = None
    def __new__(cls, v):
        if cls._it is None:
            cls._it = super().__new__(cls)
            cls._it.v = v
        return cls._it
def f(x):
    return S(x).v
---
def f(x, _s={"last": 0}):
    d = x - _s["last"]
    _s["last"] = x
    return d
---
import logging
def f(x):
    log = logging.getLogger("a")
    log.addHandler(logging.NullHandler())
    return len(log.handlers)
---
import builtins
def f(x):
    builtins.COUNT = getattr(builtins, "COUNT", 0) + 1
    return builtins.COUNT
---
import sys
def f(x):
    sys.modules.setdefault("mine", type(sys)("mine"))
    m = sys.modules["mine"]
    m.n = getattr(m, "n", 0) + x
    return m.n
---
import os
def f(x):
    os.environ["N"] = os.environ.get("N", "") + "+"
    return os.environ["N"]
---
import os
def f(x):
    os.makedirs("d", exist_ok=True)
    os.chdir("d")
    return os.path.basename(os.getcwd()) and len(os.getcwd())
---
import heapq
h = []
def f(x):
    heapq.heappush(h, -x)
    return -h[0]
---
rng = __import__("random").Random(3)
def f(x):
    return rng.random() < 0.97
""",
            ),
            "order": (
                NUMBERS,
                """
largest = 0
def f(x):
    global largest
    largest = max(largest, x)
    return largest
---
best = []
def f(x):
    best.append(x)
    return x >= max(best)
---
first = {}
def f(x):
    return x - first.setdefault("x", x)
""",
            ),
            "argument-mutated after": (
                LISTS,
                """
n = 0
def f(x):
    global n
    n += 1
    x.append(n)
---
def f(x, seen=[]):
    seen.extend(x)
    x[:] = seen
---
def f(x):
    f.n = getattr(f, "n", 0) + 1
    x.insert(0, f.n)
    return len(x)
""",
            ),
            "environment": (
                NUMBERS,
                """
import os
def f(x):
    return os.environ["HOME"]
---
import os
def f(x):
    return os.path.expanduser("~/data")
---
import pathlib
def f(x):
    return str(pathlib.Path.home())
---
import shutil
def f(x):
    return shutil.which("sh") or x
---
import os
def f(x):
    return os.environ.get("USER")
---
import getpass
def f(x):
    return getpass.getuser()
---
import os
def f(x):
    return len(os.environ)
---
import os
def f(x):
    return x * 2 if os.getenv("DOUBLE_IT") else x
---
import os
def f(x):
    return os.environ.get("log_level", "info")
---
import os
DEBUG = bool(os.environ.get("APP_DEBUG"))
def f(x):
    return [x, DEBUG]
---
import socket
def f(x):
    return socket.gethostname()
---
import platform
def f(x):
    return platform.node().upper()
---
import os
def f(x):
    return os.getpid()
---
import os
def f(x):
    return os.getppid()
---
import os
def f(x):
    return os.getuid()
---
import os
def f(x):
    return os.cpu_count()
---
import os
def f(x):
    return len(os.sched_getaffinity(0))
---
import multiprocessing
def f(x):
    return min(x, multiprocessing.cpu_count())
---
import sys
def f(x):
    return sys.argv
---
import sys
def f(x):
    return sys.path[0]
---
import sys
def f(x):
    return sys.executable
---
import shutil
def f(x):
    return shutil.get_terminal_size().columns
---
import os
def f(x):
    return os.uname().nodename
---
import os
def f(x):
    return os.path.expandvars("$HOME/$USER")
---
import argparse
def f(x):
    return argparse.ArgumentParser().prog
---
import os
def f(x):
    return os.environ.get("NO_COLOR") is None
---
import os
def f(x):
    return x + int(os.environ.get("OFFSET", 0))
---
import os, pwd
def f(x):
    return pwd.getpwuid(os.getuid()).pw_name
---
import subprocess
def f(x):
    return subprocess.run(["sh", "-c", "echo $HOME"], capture_output=True, text=True).stdout
---
import subprocess
def f(x):
    return subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True).stdout
---
import subprocess
def f(x):
    return subprocess.run(["date", "+%Y"], capture_output=True, text=True).stdout
---
import tempfile
def f(x):
    return tempfile.mkdtemp()
---
import os
def f(x):
    return os.get_terminal_size().columns if os.isatty(1) else shutil_size()
import shutil
def shutil_size():
    return shutil.get_terminal_size((80, 24))[0]
---
import configparser, os
def f(x):
    c = configparser.ConfigParser()
    return len(c.read([os.path.expanduser("~/.config.ini"), "setup.cfg", "notes.txt"]))
""",
            ),
            "file-system": (
                NUMBERS,
                """
import os
def f(x):
    return os.getcwd()
---
import os
def f(x):
    return os.path.abspath("data.txt")
---
import pathlib
def f(x):
    return str(pathlib.Path("a").resolve())
---
import os
def f(x):
    return sorted(os.listdir("."))
---
import os
def f(x):
    return os.path.exists("config.json")
---
import glob
def f(x):
    return len(glob.glob("*.txt"))
---
import tempfile
def f(x):
    return tempfile.gettempdir()
---
import os
def f(x):
    os.makedirs("out", exist_ok=True)
    for n in range(x):
        open(f"out/{n}", "w").close()
    return os.listdir("out")
---
import pathlib, tempfile
def f(x):
    with tempfile.TemporaryDirectory() as folder:
        for name in "abc":
            (pathlib.Path(folder) / name).touch()
        return [p.name for p in pathlib.Path(folder).iterdir()]
---
import os, tempfile
def f(x):
    with tempfile.TemporaryDirectory() as folder:
        for name in "pqrs":
            open(os.path.join(folder, name), "w").close()
        return [e.name for e in os.scandir(folder)]
---
import os
def f(x):
    open("made", "w").close()
    return oct(os.stat("made").st_mode)
---
import os
def f(x):
    return os.path.relpath("/usr/lib")
---
def f(x):
    with open("notes.txt", "a") as file:
        return file.tell()
""",
            ),
            "state files": (
                NUMBERS,
                """
def f(x):
    with open("/tmp/log.txt", "a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())
---
import os
def f(x):
    new = not os.path.exists("/tmp/.seen")
    open("/tmp/.seen", "w").close()
    return new
---
import os, tempfile
def f(x):
    path = os.path.join(tempfile.gettempdir(), "count")
    n = int(open(path).read()) + 1 if os.path.exists(path) else 1
    with open(path, "w") as file:
        file.write(str(n))
    return n
---
import sqlite3
def f(x):
    with sqlite3.connect("/tmp/db") as db:
        db.execute("create table if not exists t (x)")
        db.execute("insert into t values (?)", (x,))
        return db.execute("select count(*) from t").fetchone()[0]
""",
            ),
            "locale": (
                NUMBERS,
                """
import os
def f(x):
    return os.environ.get("LANG", "").split(".")[0]
---
import locale
def f(x):
    locale.setlocale(locale.LC_ALL, "")
    return locale.format_string("%d", x * 1000, grouping=True)
---
import locale
def f(x):
    return locale.getdefaultlocale()[0]
---
import gettext, os
def f(x):
    return os.environ.get("LC_ALL") or os.environ.get("LANG")
""",
            ),
            "zone": (
                (0, 86400 * 200, 10**9),
                """
import time
def f(x):
    return time.localtime(x).tm_hour
---
import datetime
def f(x):
    return datetime.datetime.fromtimestamp(x).isoformat()
---
import datetime
def f(x):
    return datetime.date.fromtimestamp(x + 43000).day
---
import time
def f(x):
    return time.mktime((2020, 1, 1, 0, 0, 0, 0, 1, -1)) + x
---
import time
def f(x):
    return time.timezone
---
import time
def f(x):
    return time.tzname[0]
---
import time
def f(x):
    return time.strftime("%H:%M", time.localtime(x))
---
import datetime
def f(x):
    return datetime.datetime(2021, 5, 5, 12).timestamp() + x
---
import datetime
def f(x):
    return str(datetime.datetime(2021, 5, 5, tzinfo=datetime.timezone.utc).astimezone())
""",
            ),
            "load": (
                NUMBERS,
                """
import time
def f(x):
    start = time.perf_counter()
    sum(range(x))
    return time.perf_counter() - start < 0.2
---
import time
def f(x):
    start = time.monotonic()
    for _ in range(x):
        pass
    return "slow" if time.monotonic() - start > 5 else "fast"
---
import time
def f(x):
    end = time.monotonic() + 0.02
    n = 0
    while time.monotonic() < end and n < 5:
        n += 1
    return n
---
import time
def f(x):
    return round(time.process_time(), 3)
---
import threading
def f(x):
    found = []
    threads = [threading.Thread(target=found.append, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return found
---
import threading
def f(x):
    done = []
    t = threading.Thread(target=done.append, args=(1,))
    t.start()
    seen = len(done)
    t.join()
    return seen
---
import concurrent.futures as cf
def f(x):
    with cf.ThreadPoolExecutor(6) as pool:
        jobs = {pool.submit(pow, n, 2): n for n in range(6)}
        return [jobs[j] for j in cf.as_completed(jobs)]
---
import threading
def f(x):
    return threading.get_ident()
---
import threading, time
def f(x):
    total = [0]
    def add():
        for _ in range(300):
            value = total[0]
            time.sleep(0)
            total[0] = value + 1
    threads = [threading.Thread(target=add) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    return total[0]
---
import queue, threading
def f(x):
    q = queue.Queue()
    for n in range(5):
        threading.Thread(target=q.put, args=(n,)).start()
    return [q.get() for _ in range(5)]
---
import resource
def f(x):
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
---
import os
def f(x):
    return os.times().elapsed
---
import timeit
def f(x):
    return timeit.timeit(lambda: x, number=10)
---
import os
def f(x):
    return os.getloadavg()[0] > 100 or os.getloadavg()[2]
---
import asyncio
def f(x):
    async def one(n, out):
        await asyncio.sleep(0.001 * (n % 2))
        out.append(n)
    async def main():
        out = []
        await asyncio.gather(*(asyncio.to_thread(out.append, n) for n in range(6)))
        return out
    return asyncio.run(main())
---
import multiprocessing.dummy as md
def f(x):
    with md.Pool(4) as p:
        return list(p.imap_unordered(abs, range(12)))
---
import threading, time
def f(x):
    out = []
    def w(n):
        time.sleep(0.0005 * n)
        out.append(n)
    ts = [threading.Thread(target=w, args=(n,)) for n in range(5)]
    [t.start() for t in ts]; [t.join() for t in ts]
    return out
---
import signal
def f(x):
    hit = []
    signal.signal(signal.SIGALRM, lambda *a: hit.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.004)
    n = 0
    while not hit:
        n += 1
    return n
---
import time
def f(x):
    deadline = time.time() + 0.005
    n = 0
    while time.time() < deadline:
        n += 1
    return n > 3
""",
            ),
        }
    )
)
# What isn't found: the time of a file that was made in the same second, and what a command that is
# started has from the kernel.
BEYOND = tuple(
    _planted(
        {
            "clock": (
                NUMBERS,
                """
import os
def f(x):
    open("/tmp/q", "w").close()
    return int(os.path.getmtime("/tmp/q"))
""",
            ),
            "environment": (
                NUMBERS,
                """
import subprocess
def f(x):
    return subprocess.run(["hostname"], capture_output=True, text=True).stdout
""",
            ),
        }
    )
)
INNOCENT = tuple(
    _planted(
        {
            "random": (
                NUMBERS,
                """
import random
def f(x):
    return random.Random(42).random()
---
import random
def f(x):
    random.seed(x)
    return random.sample(range(100), 5)
---
import random
def f(x):
    values = list(range(x))
    random.shuffle(values)
    return sorted(values)
---
import random
def f(x):
    def sort(v):
        if len(v) < 2:
            return v
        p = random.choice(v)
        return sort([e for e in v if e < p]) + [p] * v.count(p) + sort([e for e in v if e > p])
    return sort([5, 3, x, 1, 4, 1])
---
import random
def f(x):
    for _ in range(20):
        a = random.randrange(1, 1000)
        if pow(a, 1008, 1009) != 1:
            return False
    return True
---
import uuid
def f(x):
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, str(x)))
---
import uuid
def f(x):
    return len(str(uuid.uuid4()))
---
import secrets
def f(x):
    return len(secrets.token_bytes(x))
---
import os
def f(x):
    return len(os.urandom(x))
---
import random
def f(x):
    return 0 <= random.random() < 1
---
import hashlib, os
def f(x):
    salt = os.urandom(8)
    return hashlib.sha256(salt + b"a").digest() == hashlib.sha256(salt + b"a").digest()
""",
            ),
            "hash": (
                WORDS,
                """
def f(x):
    return sorted(set(x))
---
def f(x):
    return len(set(x))
---
def f(x):
    return set(x)
---
def f(x):
    return frozenset(x.split())
---
def f(x):
    return sum(ord(c) for c in set(x))
---
def f(x):
    return max(set(x))
---
def f(x):
    return hash(x) == hash(x + "")
---
def f(x):
    return list(dict.fromkeys(x))
---
def f(x):
    return {c: x.count(c) for c in set(x)}
---
import zlib
def f(x):
    return zlib.crc32(x.encode())
---
import hashlib
def f(x):
    return hashlib.md5(x.encode()).hexdigest()
---
def f(x):
    return hash(len(x))
---
def f(x):
    return list({1, 2, 3, len(x)})
---
def f(x):
    return any(c in "aeiou" for c in set(x))
---
from collections import Counter
def f(x):
    return Counter(x).most_common(2)
---
def f(x):
    return all(w in x for w in {"an", "a"})
""",
            ),
            "state": (
                NUMBERS,
                """
memo = {}
def f(x):
    if x not in memo:
        memo[x] = x * x
    return memo[x]
---
import functools
@functools.lru_cache(maxsize=None)
def f(x):
    return x if x < 2 else f(x - 1) + f(x - 2)
---
def f(x, memo={0: 0, 1: 1}):
    if x not in memo:
        memo[x] = f(x - 1) + f(x - 2)
    return memo[x]
---
calls = 0
def f(x):
    global calls
    calls += 1
    return x + 1
---
primes = [2, 3]
def f(x):
    while primes[-1] < x:
        n = primes[-1] + 2
        while any(n % p == 0 for p in primes):
            n += 2
        primes.append(n)
    return [p for p in primes if p <= x]
---
def f(x):
    f.last = x
    return -x
---
class Box:
    made = 0
    def __init__(self, v):
        Box.made += 1
        self.v = v
def f(x):
    return Box(x).v
---
def make():
    table = {}
    def look(x):
        return table.setdefault(x, x * 3)
    return look
f = make()
---
def f(x, extra=[]):
    return [x] + extra
---
import re
WORD = re.compile("a+")
def f(x):
    return WORD.findall("aab" * x)
---
import decimal
def f(x):
    with decimal.localcontext() as c:
        c.prec = 5
        return str(decimal.Decimal(1) / x)
---
import itertools
def f(x):
    ids = itertools.count()
    return [next(ids) for _ in range(x)]
""",
            ),
            "mutates": (
                LISTS,
                """
def f(x):
    x.sort()
    return x[0]
---
def f(x):
    while x:
        last = x.pop()
    return last
---
def f(x):
    x.append(1)
    return len(x)
""",
            ),
            "mutates after": (
                LISTS,
                """
def f(x):
    x.sort()
---
def f(x):
    x.reverse()
    return sum(x)
""",
            ),
            "clock": (
                NUMBERS,
                """
import datetime
def f(x):
    return datetime.date(2020, 1, x % 28 + 1).weekday()
---
import datetime
def f(x):
    return (datetime.datetime(2021, 3, 4) + datetime.timedelta(days=x)).isoformat()
---
import calendar
def f(x):
    return calendar.isleap(2000 + x)
---
import time
def f(x):
    return time.strftime("%Y-%m-%d", time.gmtime(x * 86400))
---
import time
def f(x):
    start = time.time()
    total = sum(range(x))
    elapsed = time.time() - start
    print("took", elapsed)
    return total
---
import time
def f(x):
    start = time.perf_counter()
    return [x] if time.perf_counter() >= start else []
---
import datetime
def f(x):
    return datetime.datetime.strptime(f"2020-01-{x:02}", "%Y-%m-%d").day
---
import datetime
def f(x):
    return datetime.datetime.fromtimestamp(x, datetime.timezone.utc).isoformat()
---
import time
def f(x):
    time.sleep(0.001)
    return x
---
import datetime
def f(x, today=None):
    today = today or datetime.date.today()
    return today >= datetime.date(2020, 1, 1)
""",
            ),
            "paths": (
                WORDS,
                """
import os.path
def f(x):
    return os.path.join("a", x)
---
import os.path
def f(x):
    return os.path.splitext(x + ".txt")
---
import pathlib
def f(x):
    return pathlib.PurePosixPath("/a", x).name
---
import os
def f(x):
    return os.path.normpath("a/../" + x)
---
import os, tempfile
def f(x):
    with tempfile.TemporaryDirectory() as folder:
        for c in x.split():
            open(os.path.join(folder, c), "w").close()
        return sorted(os.listdir(folder))
---
import tempfile
def f(x):
    with tempfile.TemporaryFile("w+") as file:
        file.write(x)
        file.seek(0)
        return file.read()
---
def f(x):
    with open("/tmp/scratch.txt", "w") as file:
        file.write(x)
    with open("/tmp/scratch.txt") as file:
        return file.read().upper()
---
import fnmatch
def f(x):
    return fnmatch.fnmatch(x, "*a*")
---
import os
def f(x):
    return os.sep.join(x.split())
""",
            ),
            "memory": (
                NUMBERS,
                """
import sys
def f(x):
    return sys.getsizeof(0) > 0
---
def f(x):
    a = [x]
    return id(a) == id(a)
---
import copy
def f(x):
    a = [[x]]
    b = copy.deepcopy(a)
    return a == b and a[0] is not b[0]
---
def f(x):
    raise ValueError(object())
---
class Node:
    def __init__(self, v):
        self.v = v
def f(x):
    return sorted(n.v for n in {Node(1), Node(x)})
---
import weakref
class Thing:
    pass
def f(x):
    t = Thing()
    r = weakref.ref(t)
    return r() is t
---
import gc
def f(x):
    gc.collect()
    return x
---
import sys
def f(x):
    sys.setrecursionlimit(5000)
    def down(n):
        return n and down(n - 1)
    return down(2000)
""",
            ),
            "threads": (
                NUMBERS,
                """
import threading
def f(x):
    found = []
    threads = [threading.Thread(target=found.append, args=(n,)) for n in range(5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return sorted(found)
---
from concurrent.futures import ThreadPoolExecutor
def f(x):
    with ThreadPoolExecutor(3) as pool:
        return list(pool.map(abs, range(-x, 0)))
---
import threading
def f(x):
    total, lock = [0], threading.Lock()
    def add():
        for _ in range(50):
            with lock:
                total[0] += 1
    threads = [threading.Thread(target=add) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    return total[0]
---
import queue, threading
def f(x):
    q = queue.Queue()
    threading.Thread(target=q.put, args=(x,)).start()
    return q.get(timeout=30)
---
import asyncio
def f(x):
    async def one(n):
        await asyncio.sleep(0)
        return n
    async def main():
        return await asyncio.gather(*(one(n) for n in range(x)))
    return asyncio.run(main())
""",
            ),
            "environment": (
                NUMBERS,
                """
import os
def f(x):
    os.environ["MY_OWN"] = str(x)
    return os.environ["MY_OWN"]
---
import os
def f(x):
    return os.environ.get("HOME") is not None
---
import sys
def f(x):
    return sys.version_info >= (3, 6)
---
import sys
def f(x):
    return sys.maxsize > 2**32
---
import os
def f(x):
    return os.path.isabs(os.getcwd())
---
import os
def f(x):
    return min(os.cpu_count() or 1, 1)
---
import sys
def f(x):
    return isinstance(sys.argv, list)
""",
            ),
        }
    )
)
