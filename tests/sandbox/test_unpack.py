"""Taking files out of a sandbox: an archive of which nothing is believed."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Omitted
from rubric_engine.sandbox.pack import pack
from rubric_engine.sandbox.unpack import Caps, unpack
from tests.submission.conftest import make_tar

__all__ = ["make_tar"]

MakeTar = Callable[..., bytes]
WIDE = Caps(bytes=10**6, files=1000, path_chars=1000, file_bytes=10**6)


def pieces(data: bytes, size: int = 700) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "a" / "target"
    folder.mkdir(parents=True)
    return folder


def tree_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_files_come_out_as_ours(target: Path, make_tar: MakeTar) -> None:
    data = make_tar(
        ("box", b"", {"type": tarfile.DIRTYPE}),
        ("box/run.sh", b"echo", {"mode": 0o6755, "uid": 77}),
        ("box/out/new\nline", b"1", {"mode": 0}),
    )
    assert unpack(pieces(data), target, WIDE, strip="box").entries() == ()
    assert tree_of(target) == {"run.sh": b"echo", "out/new\nline": b"1"}
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in target.rglob("*")}
    assert modes == {"run.sh": 0o700, "out": 0o700, "new\nline": 0o600}
    assert {path.stat().st_uid for path in target.rglob("*")} == {os.getuid()}


@pytest.mark.parametrize(
    ("written", "kept"),
    [("12.5", 12.5), ("-7", 0), ("nan", 0), ("1e300", 2**31 - 1), ("inf", 2**31 - 1)],
)
def test_files_keep_their_times(target: Path, written: str, kept: float) -> None:
    member = tarfile.TarInfo("box/a")
    member.pax_headers = {"mtime": written}
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(member)
    assert unpack(pieces(sink.getvalue()), target, WIDE, strip="box").entries() == ()
    assert (target / "a").stat().st_mtime == kept


@pytest.mark.parametrize(
    ("name", "attributes", "reason"),
    [
        ("box/../evil", {}, "leads out"),
        ("/box/evil", {}, "leads out"),
        ("evil", {}, "not in the submission"),
        ("box", {"type": tarfile.SYMTYPE, "linkname": "/etc"}, "link to '/etc'"),
        ("box", {}, "not in the submission"),
        ("box/shadow", {"type": tarfile.SYMTYPE, "linkname": "/etc/shadow"}, "/etc/shadow"),
        ("box/hard", {"type": tarfile.LNKTYPE, "linkname": "box/good"}, "hard link"),
        ("box/null", {"type": tarfile.CHRTYPE}, "neither"),
        ("box/pipe", {"type": tarfile.FIFOTYPE}, "neither"),
        ("box/" + "x/" * 600 + "x", {}, "too long"),
        ("box/" + "y" * 200 + "/" + "x" * 200, {}, "longer than 300 bytes"),
    ],
)
def test_nothing_but_files_and_folders_comes_out(
    target: Path, make_tar: MakeTar, name: str, attributes: dict[str, object], reason: str
) -> None:
    data = make_tar(("box/good", b"1", {}), (name, b"", attributes))
    caps = Caps(bytes=10**6, files=1000, path_chars=300, file_bytes=10**6)
    (omitted,) = unpack(pieces(data), target, caps, strip="box").entries()
    assert reason in omitted.why
    assert tree_of(target) == {"good": b"1"}
    assert [path.name for path in target.parent.iterdir()] == ["target"]


def test_what_lies_behind_a_large_file_still_comes_out(target: Path, make_tar: MakeTar) -> None:
    data = make_tar(("box/a.bin", bytes(2000), {}), ("box/b.csv", b"1", {}))
    caps = Caps(bytes=5000, files=10, path_chars=100, file_bytes=1000)
    assert unpack(pieces(data), target, caps, strip="box").entries() == (
        Omitted(path="a.bin", size=2000, why="it is larger than 1,000 bytes", kind="binary"),
    )
    assert tree_of(target) == {"b.csv": b"1"}


def test_a_bomb_is_not_read_to_its_end(target: Path) -> None:
    """A file of a terabyte: reading all of it would take for ever."""
    bomb = tarfile.TarInfo("box/bomb")
    bomb.size = 1 << 40

    def stream() -> Iterator[bytes]:
        yield bomb.tobuf(tarfile.GNU_FORMAT)
        yield bytes(1 << 16)
        pytest.fail("it was read on")

    first, last = unpack(stream(), target, WIDE, strip="box").entries()
    assert (first.path, first.size) == ("bomb", 1 << 40)
    assert (last.path, "come after 'bomb'" in last.why) == ("**", True)


def test_many_files_are_bounded_and_their_list_too(target: Path, make_tar: MakeTar) -> None:
    data = make_tar(*((f"box/{number}", b"1", {}) for number in range(3000)))
    caps = Caps(bytes=10**6, files=1000, path_chars=100, file_bytes=10)
    omitted = unpack(pieces(data, 10**5), target, caps, strip="box").entries()
    assert len(tree_of(target)) == 1000
    assert len(omitted) == 1001
    assert omitted[-1] == Omitted(path="**", size=1000, why="1,000 more entries were left out")


@pytest.mark.parametrize(("levels", "whole"), [(8, True), (9, False), (16, False)])
def test_what_may_lie_too_deep_to_be_listed_is_not_known(
    target: Path, make_tar: MakeTar, levels: int, whole: bool
) -> None:
    names = ["/".join(["box", *["d" * 250] * level]) for level in range(1, levels + 1)]
    data = make_tar(*((name, b"", {"type": tarfile.DIRTYPE}) for name in names))
    left_out = unpack(pieces(data), target, WIDE, strip="box")
    assert left_out.whole == whole
    assert [one.path for one in left_out.entries()].count("**") == (not whole)


def test_an_archive_that_breaks_off_is_the_engines_failure(target: Path, make_tar: MakeTar) -> None:
    data = make_tar(("box/good", b"1" * 9000, {}))

    def breaking() -> Iterator[bytes]:
        yield data[:2000]
        raise ConnectionResetError("gone")

    with pytest.raises(SandboxError, match="E830"):
        unpack([data[:2000]], target, WIDE, strip="box")
    (target / "good").unlink()
    with pytest.raises(SandboxError, match="E831"):
        unpack(breaking(), target, WIDE, strip="box")


def test_a_folder_goes_in_and_comes_out_as_it_was(tmp_path: Path, target: Path) -> None:
    source = tmp_path / "source"
    (source / "deep" / ("n" * 200)).mkdir(parents=True)
    (source / "deep" / ("n" * 200) / "file").write_bytes(b"1" * 3_000_000)
    (source / os.fsdecode(b"\xff\n")).write_text("odd")
    (source / "link").symlink_to("deep")
    script = source / "reproduce.sh"
    script.write_text("echo")
    script.chmod(0o700)
    data = b"".join(pack(source, "box", 1000, 1001))
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        assert {(member.uid, member.gid) for member in tar} == {(1000, 1001)}
        assert tar.getmember("box/link").linkname == "deep"
    caps = Caps(bytes=10**7, files=100)
    assert [left.path for left in unpack([data], target, caps, strip="box").entries()] == ["link"]
    files = {path: data for path, data in tree_of(source).items() if path != "link"}
    assert tree_of(target) == files
    assert os.access(target / "reproduce.sh", os.X_OK)
    assert not (target / "deep" / ("n" * 200) / "file").stat().st_mode & 0o111


NAMES = st.lists(st.sampled_from(["box", "..", ".", "a", "b", "\udcff", "x" * 99, "/"]), max_size=5)
KINDS = st.sampled_from(
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE]
)
CAPS = st.builds(Caps, st.integers(0, 300), st.integers(0, 5), st.integers(1, 150), st.just(200))


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """Archives of odd members, now and then damaged."""
    blocks = []
    for _ in range(draw(st.integers(0, 8))):
        member = tarfile.TarInfo("/".join(draw(NAMES)) or "box")
        member.type, member.linkname = draw(KINDS), "/".join(draw(NAMES))
        member.mode = draw(st.integers(0, 0o7777))
        content = draw(st.binary(max_size=250)) if member.type == tarfile.REGTYPE else b""
        member.size = len(content)
        blocks.append(member.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape"))
        blocks.append(content + bytes(-len(content) % 512))
    data = b"".join(blocks) + bytes(1024)
    if draw(st.booleans()):
        at = draw(st.integers(0, len(data) - 1))
        data = data[:at] + draw(st.binary(max_size=20)) + data[at + 10 :]
    return data


@given(st.one_of(archives(), st.binary(max_size=2000)), CAPS)
def test_whatever_comes_stays_inside_and_within_the_caps(data: bytes, caps: Caps) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "in" / "target"
        folder.mkdir(parents=True)
        with suppress(SandboxError):
            unpack([data], folder, caps, strip="box")
        everything = list(folder.rglob("*"))
        assert list((Path(place) / "in").iterdir()) == [folder]
        assert not any(path.is_symlink() for path in everything)
        assert all(path.is_file() or path.is_dir() for path in everything)
        assert sum(path.stat().st_size for path in everything if path.is_file()) <= caps.bytes
        assert not any(path.stat().st_mode & 0o7077 for path in everything)
