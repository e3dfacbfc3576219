"""Small source archives, made here; nothing is built."""

import io
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from thresher.errors import SourceError

METADATA = (
    "Metadata-Version: 2.4\nName: demo\nVersion: 1.0\nLicense-Expression: MIT\n\nLicense: no\n"
)
DEMO = {"demo-1.0/PKG-INFO": METADATA, "demo-1.0/demo/__init__.py": "x = 1\n"}


def tar_gz(files: dict[str, str], *others: tarfile.TarInfo) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
        for info in others:
            tar.addfile(info)
    return target.getvalue()


def zipped(files: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in files.items():
            bundle.writestr(name, text)
    return target.getvalue()


def special(name: str, kind: bytes, linkname: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, linkname
    return info


def reason(call: Callable[[], object]) -> str:
    with pytest.raises(SourceError) as caught:
        call()
    assert "\n" not in str(caught.value)
    return caught.value.reason
