#!/bin/sh
# Makes Debian packages of an installed tree:
#
#   packaging/deb/build.sh TREE RESULTS    (`make deb` calls it)
#
# TREE is what `make install DESTDIR=TREE PREFIX=/usr/lib/cdpcc` laid out. It stays whole in the packages:
# /usr/lib/cdpcc is the CUDA_HOME, so no file lies where NVIDIA's own packages have theirs, and only the
# names cdpcc and cdp-* are on the PATH.
#
#   libcdprt-dev   headers and libraries: enough for gcc and g++ to link objects, and for programs that were
#                  linked with the shared runtime. It needs no clang and no LLVM.
#   cdpcc          the compiler, the tools, manual pages, documents, examples
#
# Only dpkg-deb is needed, no debhelper. DEBFULLNAME and DEBEMAIL name the maintainer. DEB_COMPRESSION
# is dpkg-deb's -Z (xz, which each release of Debian and Ubuntu can read).
set -eu
tree=$1 results=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
machine=$(dpkg --print-architecture)
multiarch=$(uname -m)-linux-gnu
home=usr/lib/cdpcc

# The version of CUDA whose interface this is, and the time of the last commit (without git: now), so
# that later packages are upgrades.
cuda=$(sed -n '/"cuda" *:/,/}/s/.*"version" *: *"\([^"]*\)".*/\1/p' "$tree/$home/version.json")
time=$(git -C "$top" log -1 --format=%ct 2>/dev/null || date +%s)
version=$cuda+$(date -u -d "@$time" +%Y%m%d%H%M)
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$time}"
maintainer="${DEBFULLNAME:-cdpcc developers} <${DEBEMAIL:-cdpcc@packages.invalid}>"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

move() { # move PACKAGE NAME...: from the tree into the package
    package=$work/$1/$home
    shift
    for name in "$@"; do
        mkdir -p "$package/$(dirname "$name")"
        cp -a "$tree/$home/$name" "$package/$name"
    done
}

# The text of --help as a manual page.
page() { # page NAME TITLE <TEXT
    {
        printf '.TH %s 1 "" "cdpcc %s" "User Commands"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n' \
            "$(echo "$1" | tr a-z A-Z)" "$cuda" "$1" "$2"
        sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'
        printf '.fi\n.SH SEE ALSO\nThe documents in /usr/share/doc/cdpcc.\n'
    } | gzip -9n >"$work/cdpcc/usr/share/man/man1/$1.1.gz"
}

title() { # title NAME
    case $1 in
    cdpcc) echo "compile CUDA programs with dynamic parallelism for CPUs" ;;
    cdp-fuzz) echo "run a CUDA program under many schedules" ;;
    cdp-gdb) echo "gdb for CUDA programs" ;;
    cdp-lab) echo "hand out exercises in CUDA, and check them" ;;
    cdp-lldb) echo "lldb for CUDA programs" ;;
    cdp-prof) echo "print the times of a CUDA program's kernels, launches and copies" ;;
    cdp-report) echo "write a page that shows a run of a CUDA program" ;;
    cdp-sanitizer) echo "run a checked CUDA program with compute-sanitizer's options" ;;
    *) echo "a tool for CUDA programs" ;;
    esac
}

# For each program what --help prints, or NAME.txt here, where --help is another program's.
pages() {
    mkdir -p "$work/cdpcc/usr/share/man/man1"
    for program in "$tree/$home"/bin/cdp*; do
        name=$(basename "$program")
        if [ -f "$here/$name.txt" ]; then cat "$here/$name.txt"; else "$program" --help; fi | page "$name" "$(title "$name")"
    done
}

# What each package has beside its files in /usr/lib/cdpcc.
papers() { # papers PACKAGE
    doc=$work/$1/usr/share/doc/$1
    mkdir -p "$doc"
    cp "$here/copyright" "$doc/copyright"
    printf '%s (%s) unstable; urgency=medium\n\n  * Made from the source tree by make deb.\n\n -- %s  %s\n' \
        cdpcc "$version" "$maintainer" "$(date -uR -d "@$time")" | gzip -9n >"$doc/changelog.gz"
    if [ -f "$here/$1.overrides" ]; then
        mkdir -p "$work/$1/usr/share/lintian/overrides"
        cp "$here/$1.overrides" "$work/$1/usr/share/lintian/overrides/$1"
    fi
}

package() { # package NAME
    papers "$1"
    chmod -R u=rwX,go=rX "$work/$1"
    find "$work/$1" -type f -name '*.so*' -exec chmod 644 {} +
    mkdir "$work/$1/DEBIAN"
    (cd "$work/$1" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2) >"$work/$1/DEBIAN/md5sums"
    sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$machine/; s/@MAINTAINER@/$maintainer/" \
        -e "s/@SIZE@/$(du -k -s --apparent-size "$work/$1/usr" | cut -f1)/" "$here/$1.control" >"$work/$1/DEBIAN/control"
    dpkg-deb --root-owner-group -Z"${DEB_COMPRESSION:-xz}" --build "$work/$1" "$results/$1_${version}_$machine.deb" >/dev/null
    echo "$results/$1_${version}_$machine.deb"
}

# Links to headers of other packages would lead to nothing where these are not installed.
rm -rf "$tree/$home/include/cccl" "$tree/$home"/lib/*-linux-gnu
mkdir -p "$results" "$work/cdpcc/usr/bin"
rm -f "$results"/cdpcc_*.deb "$results"/libcdprt-dev_*.deb

move libcdprt-dev include lib lib64 nvvm targets version.json version.txt
mkdir -p "$work/libcdprt-dev/usr/lib/$multiarch/pkgconfig"
sed "1s|.*|prefix=/$home|" "$top/tools/cdpcc.pc" >"$work/libcdprt-dev/usr/lib/$multiarch/pkgconfig/cdpcc.pc"
# The debug information of the runtime stays: cdp-gdb reads its structs.
(cd "$work/libcdprt-dev/$home/lib" &&
    strip --strip-unneeded libnv*.so.12 cdpcc-nvml/libnvidia-ml.so.1 cdpcc-nvml/nvidia-smi)

move cdpcc bin share
strip "$work/cdpcc/$home/bin/cdpcc" "$work/cdpcc/$home/bin/cdp-report"
for program in "$work/cdpcc/$home"/bin/cdp*; do
    ln -s "../lib/cdpcc/bin/$(basename "$program")" "$work/cdpcc/usr/bin/$(basename "$program")"
done
pages
mkdir -p "$work/cdpcc/usr/share/doc/cdpcc"
cp -r "$top"/docs/*.md "$top/docs/images" "$top/examples" "$work/cdpcc/usr/share/doc/cdpcc"

package libcdprt-dev
package cdpcc
