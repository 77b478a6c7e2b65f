from __future__ import annotations

import gzip
import io
import stat
import tarfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_engine.errors import SubmissionError
from rubric_engine.submission.archive import extract
from rubric_engine.submission.meter import ArchiveLimits
from rubric_engine.submission.scratch import Scratch
from tests.submission.conftest import Unpack

MakeTar = Callable[..., bytes]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("name", "attributes", "reason"),
    [
        ("../evil", {}, "leads out"),
        ("a/../../evil", {}, "leads out"),
        ("/tmp/evil", {}, "leads out"),
        ("a/..", {"type": tarfile.DIRTYPE}, "leads out"),
        ("link", {"type": tarfile.SYMTYPE, "linkname": "../x"}, "link to '../x'"),
        ("hard", {"type": tarfile.LNKTYPE, "linkname": "../x"}, "hard link to '../x'"),
        ("device", {"type": tarfile.CHRTYPE}, "neither"),
        ("pipe", {"type": tarfile.FIFOTYPE}, "neither"),
        ("x" * 256, {}, "too long"),
        ("x/" * 300 + "x", {}, "too long"),
        (".", {}, "not valid"),
    ],
)
def test_what_is_no_plain_member_is_listed_and_not_unpacked(
    unpack: Unpack, make_tar: MakeTar, name: str, attributes: dict[str, object], reason: str
) -> None:
    target, refused = unpack(make_tar((name, b"", attributes), ("good", b"1", {})))
    assert list(refused) == [name]
    assert reason in (refused[name] or "")
    assert names_in(target) == ["good"]
    assert names_in(target.parent) == ["archive", "target"]


def test_nothing_is_written_through_a_link(unpack: Unpack, make_tar: MakeTar) -> None:
    link = ("a", b"", {"type": tarfile.SYMTYPE, "linkname": ".."})
    target, _ = unpack(make_tar(link, ("a/b", b"1", {})))
    assert not (target / "a").is_symlink()
    assert (target / "a/b").read_text() == "1"


def test_of_two_members_the_last_stays(unpack: Unpack, make_tar: MakeTar) -> None:
    target, refused = unpack(make_tar(("a", b"1", {}), ("./a", b"22", {})))
    assert (target / "a").read_text() == "22"
    assert not refused


def test_hard_links_are_copies_of_what_was_unpacked(unpack: Unpack, make_tar: MakeTar) -> None:
    def link(name: str, target: str) -> tuple[str, bytes, dict[str, object]]:
        return name, b"", {"type": tarfile.LNKTYPE, "linkname": target, "mode": 0o755}

    target, refused = unpack(
        make_tar(
            ("d/a", b"1" * 5000, {}),
            link("b", "d/a"), link("d/a", "./d/a"), link("c", "d"), link("e", "later"),
            link("../out", "d/a"), ("later", b"", {}),
        )
    )  # fmt: skip
    assert (target / "b").read_bytes() == (target / "d/a").read_bytes() == b"1" * 5000
    assert (target / "b").stat().st_nlink == 1
    assert stat.S_IMODE((target / "b").stat().st_mode) == 0o700
    assert refused == {
        "../out": "its name leads out of the archive",
        "c": "hard link to 'd' (not unpacked)",
        "e": "hard link to 'later' (not unpacked)",
    }


def test_hard_links_count_against_the_limits(unpack: Unpack, make_tar: MakeTar) -> None:
    link = {"type": tarfile.LNKTYPE, "linkname": "a"}
    data = make_tar(("a", b"1" * 5000, {}), *((f"b{n}", b"", link) for n in range(9)))
    with pytest.raises(SubmissionError, match="more than 20,000 bytes"):
        unpack(data, ArchiveLimits(size=20_000))


@pytest.mark.parametrize("names", [("a", "a/b"), ("a/b", "a")])
def test_members_that_clash_are_listed(
    unpack: Unpack, make_tar: MakeTar, names: tuple[str, str]
) -> None:
    _, refused = unpack(make_tar(*((name, b"1", {}) for name in names)))
    assert refused == {names[1]: "its name clashes with another member's"}


@pytest.mark.parametrize(("mode", "kept"), [(0o4777, 0o700), (0o000, 0o600), (0o644, 0o600)])
def test_modes_are_ours(unpack: Unpack, make_tar: MakeTar, mode: int, kept: int) -> None:
    folder = ("f", b"", {"type": tarfile.DIRTYPE, "mode": 0o2000})
    target, _ = unpack(make_tar(folder, ("f/a", b"1", {"mode": mode})))
    assert stat.S_IMODE((target / "f/a").stat().st_mode) == kept
    assert stat.S_IMODE((target / "f").stat().st_mode) == 0o700


def test_names_that_are_no_utf8_survive(unpack: Unpack, make_tar: MakeTar) -> None:
    target, _ = unpack(make_tar(("bad\udcff\n", b"1", {})))
    assert names_in(target) == ["bad\udcff\n"]


@pytest.mark.parametrize("cut", [512, 700, 1024, 1500, 2048])
def test_a_cut_archive_is_refused(unpack: Unpack, make_tar: MakeTar, cut: int) -> None:
    whole = make_tar(("a", b"1", {}), ("b", b"2", {}))
    with pytest.raises(SubmissionError, match="cut off or corrupt") as caught:
        unpack(whole[:cut])
    assert caught.value.code == "E302"
    assert "members" in caught.value.looked[0]


def test_a_damaged_header_does_not_pass_for_the_end(unpack: Unpack, make_tar: MakeTar) -> None:
    whole = bytearray(make_tar(("a", b"1", {}), ("b", b"2", {})))
    whole[1024 + 10] ^= 0xFF
    with pytest.raises(SubmissionError, match="corrupt"):
        unpack(bytes(whole))


def test_a_wrong_checksum_is_noticed(unpack: Unpack, make_tar: MakeTar) -> None:
    packed = bytearray(gzip.compress(make_tar(("a", b"1", {}))))
    packed[-8] ^= 0xFF
    with pytest.raises(SubmissionError, match="corrupt"):
        unpack(bytes(packed))


def test_a_packed_archive_of_several_streams_is_read_whole(
    unpack: Unpack, make_tar: MakeTar
) -> None:
    whole = make_tar(("a", b"1", {}), ("b", b"2", {}))
    target, _ = unpack(gzip.compress(whole[:1024]) + gzip.compress(whole[1024:]))
    assert names_in(target) == ["a", "b"]


def bomb() -> bytes:
    header = tarfile.TarInfo("zeros")
    header.size = 1_000_000
    return gzip.compress(header.tobuf() + bytes(1_000_000 + 2048))


def skipped_bomb() -> bytes:
    header = tarfile.TarInfo("../zeros")
    header.size = 1_000_000
    return gzip.compress(header.tobuf() + bytes(1_000_000 + 2048))


def sparse_bomb() -> bytes:
    """One block of data that claims to end a file of a terabyte."""
    size = 2**40
    header = bytearray(tarfile.TarInfo("sparse").tobuf(format=tarfile.GNU_FORMAT))
    header[124:136] = b"%011o\0" % 512
    header[156:157] = tarfile.GNUTYPE_SPARSE
    header[386:398] = tarfile.itn(size - 512, 12, tarfile.GNU_FORMAT)  # type: ignore[attr-defined]
    header[398:410] = b"%011o\0" % 512
    header[483:495] = tarfile.itn(size, 12, tarfile.GNU_FORMAT)  # type: ignore[attr-defined]
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + bytes(512) + bytes(1024)


@pytest.mark.parametrize("make", [bomb, skipped_bomb, sparse_bomb])
def test_bombs_are_stopped(unpack: Unpack, make: Callable[[], bytes]) -> None:
    with pytest.raises(SubmissionError, match="bomb") as caught:
        unpack(make(), ArchiveLimits(ratio_from=100_000))
    assert caught.value.code == "E303"


@pytest.mark.parametrize(
    ("limits", "what"),
    [(ArchiveLimits(members=2), "2 members"), (ArchiveLimits(size=2000), "2,000 bytes")],
)
def test_limits_hold(unpack: Unpack, make_tar: MakeTar, limits: ArchiveLimits, what: str) -> None:
    data = make_tar(*((name, b"1" * 600, {}) for name in "abc"))
    with pytest.raises(SubmissionError, match=what) as caught:
        unpack(data, limits)
    assert caught.value.code == "E303"


names = st.one_of(
    st.lists(st.sampled_from(["..", ".", "", "a", "b", "c\n"]), min_size=1, max_size=5).map(
        "/".join
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
)
types = st.sampled_from(
    [
        tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE,
        tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE, tarfile.GNUTYPE_SPARSE, b"?",
    ]
)  # fmt: skip
members = st.lists(
    st.tuples(names, types, st.binary(max_size=600), st.sampled_from(["..", "/etc", "a"])),
    max_size=6,
)
damages = st.lists(st.tuples(st.integers(0, 8000), st.integers(0, 255)), max_size=4)


def pack(content: list[tuple[str, bytes, bytes, str]]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, kind, data, link in content:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, link
            info.size = len(data) if kind in (tarfile.REGTYPE, tarfile.CONTTYPE) else 0
            tar.addfile(info, io.BytesIO(data[: info.size]))
    return buffer.getvalue()


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(content=members, damage=damages, cut=st.none() | st.integers(0, 6000), packed=st.booleans())
def test_no_archive_writes_outside_or_breaks_the_reader(
    content: list[tuple[str, bytes, bytes, str]],
    damage: list[tuple[int, int]],
    cut: int | None,
    packed: bool,
) -> None:
    data = bytearray(pack(content))
    for place, value in damage:
        data[place % len(data)] = value
    scratch = Scratch()
    target = scratch.path / "a" / "target"
    target.mkdir(parents=True)
    raw = gzip.compress(bytes(data))[:cut] if packed else bytes(data)[:cut]
    (scratch.path / "archive").write_bytes(raw)
    with suppress(SubmissionError):
        extract(scratch.path / "archive", target)
    assert names_in(scratch.path) == ["a", "archive"]
    assert names_in(scratch.path / "a") == ["target"]
    for path in target.rglob("*"):
        assert not path.is_symlink()
        assert path.is_file() or path.is_dir()


@settings(deadline=None)
@given(st.binary(max_size=3000))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    scratch = Scratch()
    target = scratch.path / "target"
    target.mkdir()
    (scratch.path / "archive").write_bytes(data)
    with suppress(SubmissionError):
        extract(scratch.path / "archive", target)
    assert names_in(scratch.path) == ["archive", "target"]
