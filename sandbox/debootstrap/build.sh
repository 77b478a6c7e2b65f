#!/bin/sh
# Writes the root file system of an image to standard output, as a tar, made from Debian's packages:
#     sudo sh build.sh | docker import - rubric-engine/debootstrap:bookworm
# The mirror is the one that apt uses here; on a machine of another distribution, debootstrap's own.
# Exit code 69: this machine lacks what it takes.
set -eu

suite=bookworm
packages=build-essential,ca-certificates,git,python-is-python3,python3,python3-numpy,python3-pip,python3-venv

lacking() {
  echo "$*" >&2
  exit 69
}

PATH=$PATH:/usr/sbin:/sbin
[ ! -t 1 ] || lacking "the image goes to standard output, which is a terminal: pipe it to docker import"
[ "$(id -u)" = 0 ] || lacking "debootstrap must run as root: sudo rubric-engine sandbox build debootstrap"
command -v debootstrap >/dev/null || lacking "debootstrap is missing: sudo apt-get install debootstrap"

mirror=
if command -v apt-get >/dev/null; then
  # shellcheck disable=SC2016  # apt fills these in
  mirror=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" '$1 == suite && $2 == "main" && $3 ~ /^https?:/ { print $3; exit }')
  proxy=
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [ -z "$proxy" ] || export http_proxy="$proxy"
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
root=$work/root

debootstrap --variant=minbase --include="$packages" "$suite" "$root" ${mirror:+"$mirror"} >&2

# What names this machine or its mirror, what differs from build to build, and what nobody reads.
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root"/usr/share/doc/* \
  "$root"/usr/share/man/* "$root"/usr/share/locale/* "$root"/etc/apt/sources.list "$root"/etc/hostname \
  "$root"/etc/resolv.conf "$root"/etc/machine-id "$root"/tmp/*

tar --create --directory="$root" --sort=name --numeric-owner --one-file-system \
  --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' .
