#!/bin/sh
# Says where clang of a version comes from on this system, or sees to it that apt finds it:
#
#   packaging/clang_source.sh [--add] VERSION
#
# Status 0: apt can install clang-VERSION. Status 1 with the commands to type: it cannot. With --add
# (as root), the commands are run. Debian 12 has clang-22 among its security updates, Debian 13 in its
# main part; for other releases LLVM's project has packages on apt.llvm.org.
# CDPCC_OS_RELEASE names another file than /etc/os-release, for tests.
set -eu
add=
if [ "$1" = --add ]; then
    add=yes
    shift
fi
version=$1

can_install() { apt-cache policy "clang-$version" 2>/dev/null | grep -q '^ *Candidate: [^(]'; }

ID='' ID_LIKE='' VERSION_CODENAME=''
release=${CDPCC_OS_RELEASE:-/etc/os-release}
# shellcheck disable=SC1090
[ ! -r "$release" ] || . "$release"

commands() {
    case "$ID $VERSION_CODENAME" in
    "debian bookworm")
        echo "echo 'deb http://deb.debian.org/debian-security bookworm-security main' >/etc/apt/sources.list.d/bookworm-security.list"
        ;;
    "debian trixie")
        echo "echo 'deb http://deb.debian.org/debian trixie main' >/etc/apt/sources.list.d/trixie.list"
        ;;
    *)
        key=/usr/share/keyrings/apt.llvm.org.asc
        echo "apt-get install -y --no-install-recommends ca-certificates wget"
        echo "wget -qO $key https://apt.llvm.org/llvm-snapshot.gpg.key"
        echo "echo 'deb [signed-by=$key] https://apt.llvm.org/$VERSION_CODENAME/ llvm-toolchain-$VERSION_CODENAME-$version main' >/etc/apt/sources.list.d/llvm-$version.list"
        ;;
    esac
    echo "apt-get update"
}

case " $ID $ID_LIKE " in
*" debian "* | *" ubuntu "*) ;;
*)
    echo "cdpcc needs clang and LLVM $version, lld and libffi; how to install them on this system is not known (docs/install.md)" >&2
    exit 1
    ;;
esac
if can_install; then exit 0; fi
if [ -n "$add" ]; then
    commands | sh -eux
    can_install && exit 0
fi
{
    echo "apt finds no clang-$version here. These commands (as root) bring it:"
    commands | sed 's/^/    /'
    echo "or: packaging/clang_source.sh --add $version. See docs/install.md."
} >&2
exit 1
