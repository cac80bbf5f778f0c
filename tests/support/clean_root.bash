# shellcheck shell=bash
# Sourced by tests that install packages: roots of Debian, as a container would have them.
#
#   clean_root_missing           prints why there can be none, and succeeds; fails if there can be
#   clean_root SUITE DIR         makes one: the required packages, apt, and sources of that suite
#   inside DIR COMMAND...        runs COMMAND there as root, with an environment of its own
#   steps FILE                   the lines of a Dockerfile, one instruction each
#
# The archive is that of this system's apt: the first http(s) address of its sources.

clean_root_missing() {
    [ "$(id -u)" = 0 ] || { echo "only root can make a root of Debian"; return 0; }
    command -v mmdebstrap >/dev/null || { echo "mmdebstrap is not installed; make check-all installs it"; return 0; }
    unshare -m -p -f true 2>/dev/null || { echo "this system allows no namespaces for mounts"; return 0; }
    return 1
}

clean_root() {
    local suite=$1 archive
    archive=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -m1 -E '^https?://.*/debian/?$')
    archive=${archive:-http://deb.debian.org/debian}
    archive=${archive%/}
    printf 'deb %s main\n' "$archive $suite" "$archive $suite-updates" "$archive-security $suite-security" >"$2.list"
    mmdebstrap --quiet --variant=apt "$suite" "$2" "$2.list" || { rm -rf "$2"; return 1; }
}

inside() {
    local root=$1
    shift
    # shellcheck disable=SC2016
    unshare -m -p -f sh -c '
        root=$1 && shift
        mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount -t tmpfs tmpfs "$root/dev/shm" &&
            mount -t devpts devpts "$root/dev/pts" || exit 99
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' sh "$root" "$@"
}

# Comments and continued lines as Docker reads them.
steps() { sed -e '/^ *#/d' "$1" | sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba}' -e '/^$/d'; }
