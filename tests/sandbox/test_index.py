import sys
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.sandbox.command import run
from thresher.sandbox.index import PackageIndex, package_index
from thresher.sandbox.wall import Limits, Mount, python_mounts

BARE = {"PATH": "/usr/bin:/bin", "PIP_CONFIG_FILE": "/dev/null"}


def index_of(**variables: str) -> PackageIndex:
    return package_index({**BARE, **variables})


def test_without_configuration_it_is_pypi():
    index = index_of()
    assert index.env["PIP_INDEX_URL"] == index.env["UV_DEFAULT_INDEX"] == "https://pypi.org/simple"
    assert index.hosts == {("pypi.org", 443), ("files.pythonhosted.org", 443)}
    assert index.mounts == ()
    assert index.urls == ("https://pypi.org/simple",)


def test_the_configuration_file_is_read_and_the_environment_wins(tmp_path):
    file = tmp_path / "pip.conf"
    file.write_text(
        "[global]\nindex-url = http://Index.example:8080/simple\ntimeout = 7\n"
        "extra-index-url = https://one.example/\n    https://two.example/\n"
        "trusted-host = index.example\n"
    )
    index = index_of(PIP_CONFIG_FILE=str(file), PIP_TIMEOUT="9")
    assert index.env["PIP_INDEX_URL"] == "http://Index.example:8080/simple"
    assert index.env["PIP_EXTRA_INDEX_URL"] == "https://one.example/ https://two.example/"
    assert index.env["PIP_TRUSTED_HOST"] == index.env["UV_INSECURE_HOST"] == "index.example"
    assert index.env["PIP_DEFAULT_TIMEOUT"] == "9"
    assert index.hosts == {("index.example", 8080), ("one.example", 443), ("two.example", 443)}
    assert index.private == {"index.example", "one.example", "two.example"}


def test_install_settings_win_over_global_ones(tmp_path):
    file = tmp_path / "pip.conf"
    file.write_text("[global]\ntimeout = 1\n[install]\ntimeout = 2\n")
    assert index_of(PIP_CONFIG_FILE=str(file)).env["PIP_DEFAULT_TIMEOUT"] == "2"


def test_the_hosts_own_configuration_never_applies_inside():
    env = index_of().env
    assert (env["PIP_CONFIG_FILE"], env["UV_NO_CONFIG"]) == ("/dev/null", "1")


def test_local_places_are_mounted_at_neutral_paths(tmp_path):
    wheels, constraints, bundle = tmp_path / "wheels", tmp_path / "c.txt", tmp_path / "ca.pem"
    wheels.mkdir()
    constraints.write_text("six<2\n")
    bundle.write_text("certificate\n")
    index = index_of(
        PIP_FIND_LINKS=f"{wheels} https://links.example/all.html",
        PIP_CONSTRAINT=str(constraints),
        SSL_CERT_FILE=str(bundle),
    )
    assert index.env["PIP_FIND_LINKS"] == "/index/0/wheels https://links.example/all.html"
    assert index.env["UV_FIND_LINKS"] == "/index/0/wheels,https://links.example/all.html"
    assert index.env["PIP_CONSTRAINT"] == index.env["UV_CONSTRAINT"] == "/index/1/c.txt"
    assert {index.env[name] for name in ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")} == {
        "/index/2/ca.pem"
    }
    assert index.mounts == (
        Mount(wheels, "/index/0/wheels"),
        Mount(constraints, "/index/1/c.txt"),
        Mount(bundle, "/index/2/ca.pem"),
    )
    assert ("links.example", 443) in index.hosts


def test_places_that_do_not_exist_are_dropped(tmp_path):
    nowhere = tmp_path / "nowhere"
    index = index_of(
        PIP_FIND_LINKS=str(nowhere),
        PIP_EXTRA_INDEX_URL=nowhere.as_uri(),
        PIP_CONSTRAINT=str(nowhere),
        PIP_CERT=str(nowhere),
    )
    assert index.mounts == ()
    assert not [name for name, value in index.env.items() if "nowhere" in value]
    assert "PIP_FIND_LINKS" not in index.env


def test_a_local_index_brings_the_folders_that_it_links_to(tmp_path):
    _local_index(tmp_path)
    (tmp_path / "private").mkdir()
    index = index_of(PIP_EXTRA_INDEX_URL=(tmp_path / "simple").as_uri())
    assert index.env["PIP_EXTRA_INDEX_URL"] == "file:///index/0/simple"
    assert [mount.target for mount in index.mounts] == ["/index/0/simple", "/index/0/files"]


def _local_index(folder: Path) -> None:
    (folder / "files").mkdir()
    (folder / "simple" / "demo").mkdir(parents=True)
    (folder / "files" / "demo-1.0.tar.gz").write_bytes(b"not read")
    (folder / "simple" / "demo" / "index.html").write_text(
        '<a href="../../files/demo-1.0.tar.gz">demo-1.0.tar.gz</a><a href="../../../etc/x">x</a>'
    )


@pytest.mark.parametrize(
    "url", ["https://me:secret@index.example/simple", "https://token-secret@index.example/simple"]
)
@pytest.mark.parametrize("variable", ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"])
def test_a_password_never_enters(variable, url):
    with pytest.raises(UsageError, match=r"index\.example") as caught:
        index_of(**{variable: url})
    assert "secret" not in str(caught.value)


def test_further_hosts_can_be_allowed():
    index = index_of().allowing(("git.example", 443))
    assert ("git.example", 443) in index.hosts
    assert ("git.example", 443) not in index_of().hosts
    assert "git.example" not in index.private


def test_what_this_host_is_configured_with_works_inside():
    index = package_index()
    argv = [sys.executable, "-m", "pip", "config", "list"]
    limits = Limits(wall_seconds=60)
    done = run(argv, mounts=python_mounts(), network=index, limits=limits)
    assert done.returncode == 0
    assert index.env["PIP_INDEX_URL"] in done.output
    for mount in index.mounts:
        listed = run(["test", "-r", mount.target], network=index, limits=limits)
        assert listed.returncode == 0
