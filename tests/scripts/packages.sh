#!/usr/bin/env bash
# The Debian packages of `make deb`: their files, what they depend on, and that they work where they were
# unpacked. And the files for containers and CI can be read. tests/scripts/clean_root.sh installs them.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
if ! command -v dpkg-deb >/dev/null; then
    echo "skipped: no dpkg-deb, so no packages"
    pass "skipped"
    finish
    exit
fi
packages=$work/packages root=$work/root home=usr/lib/cdpcc

makes() {
    make -C "$top" deb PACKAGES="$packages" DEB_COMPRESSION=none && mkdir "$root" &&
        for package in "$packages"/*.deb; do
            dpkg-deb -c "$package" >"$work/$(basename "${package%%_*}").list" && dpkg-deb -x "$package" "$root" || return 1
        done
}
check "make deb" makes

names() { awk '!/^d/ { print $6 }' "$1" | sed 's|^\./||'; }
only_own_places() { # and /usr/bin has no name of NVIDIA's
    local strange
    strange=$(for list in "$work"/*.list; do names "$list"; done |
        grep -vE "^($home/|usr/bin/cdp|usr/share/(doc|lintian/overrides|man/man1)/(cdp|libcdprt)|usr/lib/[a-z0-9_]*-linux-gnu/pkgconfig/cdpcc.pc$)")
    [ -z "$strange" ] || { echo "files: $strange"; return 1; }
}
check "all files are below /usr/lib/cdpcc, or have a name of cdpcc's" only_own_places
in_one_package() { [ -z "$(for list in "$work"/*.list; do names "$list"; done | sort | uniq -d)" ]; }
check "no file is in both packages" in_one_package
safe_files() { # of root, and nobody else may write
    awk '$2 != "root/root" || ($1 !~ /^l/ && ($1 ~ /^........w/ || $1 ~ /^.....w/ || tolower($1) ~ /s|t/)) { print; bad = 1 } END { exit bad }' "$work"/*.list
}
check "files belong to root, who alone may write" safe_files
whole_installation() { # what make install lays out, but for other packages' headers and other machines
    make -C "$top" install DESTDIR="$work/installed" PREFIX=/usr/lib/cdpcc >/dev/null &&
        diff <(cd "$work/installed/$home" && find . ! -type d | grep -vE '^./(include/cccl|lib/[a-z0-9_]*-linux-gnu)/' | sort) \
            <(cd "$root/$home" && find . ! -type d | sort)
}
check "together they have what make install lays out" whole_installation
links_lead() {
    local dangling
    dangling=$(find "$root" -xtype l)
    [ -z "$dangling" ] || { echo "$dangling"; return 1; }
}
check "links lead to files of the two" links_lead

field() { dpkg-deb -f "$packages"/"$1"_*.deb "$2"; }
version_is_right() {
    local version older
    version=$(field cdpcc Version) older=$(sed -n '/"cuda" *:/,/}/s/.*"version" *: *"\(.*\)".*/\1/p' "$top/tools/toolkit/version.json")
    echo "$version, $older"
    [ -n "$older" ] && [[ $version =~ ^$older\+[0-9]{12}$ ]] && [ "$(field libcdprt-dev Version)" = "$version" ] &&
        dpkg --compare-versions "$version" gt "$older" && [[ $(field cdpcc Depends) == *"libcdprt-dev (= $version)"* ]]
}
check "the version is that of version.json and the commit" version_is_right
# Each shared library that a program of the package needs, and the package that has it.
depends() { # depends PACKAGE FILE...
    local package=$1 file library provider bad=0
    shift
    for file in "$@"; do
        for library in $(readelf -d "$root/$home/$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
            case $library in
            libLLVM.so.22.1) provider=libllvm22 ;;
            libffi.so.8) provider=libffi8 ;;
            libc.so.6 | libm.so.6 | ld-linux-*) provider=libc6 ;;
            *) provider="(nothing for $library)" ;;
            esac
            [[ " $(field "$package" Depends)," == *" $provider"[\ ,]* ]] || { echo "$file needs $library; $package does not depend on $provider"; bad=1; }
        done
        newest=$(objdump -T "$root/$home/$file" | grep -o 'GLIBC_[0-9.]*' | cut -d_ -f2 | sort -V | tail -n 1)
        dpkg --compare-versions "$newest" le 2.34 || { echo "$file needs libc6 $newest"; bad=1; }
    done
    return $bad
}
check "cdpcc depends on the packages of its libraries" depends cdpcc bin/cdpcc bin/cdp-report
check "so does libcdprt-dev" depends libcdprt-dev lib/libcdprt.so lib/libnvrtc.so.12 lib/libnvJitLink.so.12 \
    lib/cdpcc-nvml/libnvidia-ml.so.1 lib/cdpcc-nvml/nvidia-smi
needs_no_llvm_dev() { ! field cdpcc Depends | grep -E 'llvm-22|-tools|valgrind|qemu'; }
check "users need no llvm-22-dev" needs_no_llvm_dev
unpacked_works() {
    "$root/usr/bin/cdpcc" "$root/usr/share/doc/cdpcc/examples/quadtree.cu" -o "$work/quadtree" && "$work/quadtree" >"$work/out" &&
        says "$work/out" 'points in .* leaves' && "$root/$home/bin/nvcc" --version >"$work/out" && says "$work/out" 'release 12.9'
}
check "the unpacked compiler works" unpacked_works
tools_answer() {
    local name
    for name in fuzz prof report sanitizer; do "$root/usr/bin/cdp-$name" --help >"$work/out" && [ -s "$work/out" ] || return 1; done
}
check "the tools work by their names in /usr/bin" tools_answer
papers() {
    local name
    for name in cdpcc libcdprt-dev; do
        says "$root/usr/share/doc/$name/copyright" 'LLVM' && gzip -dc "$root/usr/share/doc/$name/changelog.gz" >"$work/out" && says "$work/out" '^cdpcc \(12' || return 1
    done
    for name in "$root"/usr/bin/*; do
        gzip -dc "$root/usr/share/man/man1/$(basename "$name").1.gz" >"$work/out" && says "$work/out" '^\.TH' '^\.SH NAME' || return 1
    done
}
check "copyright, changelog, and a manual page for each program" papers

# ---- containers and CI ----

python=python3
$python -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
if $python -c 'import yaml' 2>/dev/null; then
    reads_yaml() {
        $python - "$top" <<'PYTHON'
import sys, yaml
top = sys.argv[1]
action = yaml.safe_load(open(f"{top}/packaging/github/action.yml"))
assert action["runs"]["using"] == "composite" and action["name"] and action["description"]
for step in action["runs"]["steps"]:
    assert ("run" in step) != ("uses" in step), step
    assert "uses" in step or step["shell"] == "bash", step
    assert "${{" not in step.get("run", ""), "an expression in a command: an input could add commands"
job = yaml.safe_load(open(f"{top}/packaging/gitlab/cdpcc.gitlab-ci.yml"))[".cdpcc"]
assert all(isinstance(line, str) for line in job["before_script"])
PYTHON
    }
    check "the GitHub action and GitLab's snippet are YAML of the right form" reads_yaml
else
    echo "skipped: no Python with yaml"
fi
shell_reads() { # shellcheck is not on every machine; bash -n is
    local script
    for script in "$top"/packaging/*.sh "$top"/packaging/deb/*.sh; do sh -n "$script" || return 1; done
}
check "the scripts of packaging/ are right for sh" shell_reads
devcontainer() {
    python3 - "$top" <<'PYTHON'
import json, os, sys
top = sys.argv[1]
container = json.load(open(f"{top}/.devcontainer/devcontainer.json"))
dockerfile = os.path.join(top, ".devcontainer", container["build"]["dockerfile"])
text = open(dockerfile).read()
assert f"USER {container['remoteUser']}\n" in text
assert os.path.samefile(os.path.join(top, ".devcontainer", container["build"]["context"]), top)
PYTHON
}
check "the devcontainer is that of the Dockerfile" devcontainer
docs_name_files() {
    local name
    for name in packaging/docker/Dockerfile packaging/github packaging/gitlab/cdpcc.gitlab-ci.yml; do
        [ -e "$top/$name" ] && says "$top/docs/install.md" "$name" || return 1
    done
}
check "docs/install.md names them" docs_name_files
finish
