#!/usr/bin/env bash
# `make setup` installs what users need, `make setup-tests` what tests need, and both say what to do
# where apt has no such clang. Stubs take the place of dpkg, apt and sudo: nothing is installed.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"

stubs=$work/stubs
mkdir "$stubs"
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$stubs/$1" && chmod +x "$stubs/$1"; }
# shellcheck disable=SC2016
stub apt-get 'echo "$@" >>'"'$work/apt.log'"
stub dpkg-query 'exit 1'
stub sudo 'exec "$@"'
apt_has() { stub apt-cache "echo '  Candidate: $1'"; }
# A root of its own for make: its -j and its other flags are not those of the tests.
makes() { rm -f "$work/apt.log"; env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL PATH="$stubs:$PATH" make -C "$top" "$@"; }
only_tests='qemu|aarch64|valgrind|spin|clang-tidy|clang-format|clangd|lldb|libomp|openmpi|ccache|cmake|gdb|check|thrust|python3|gcc|g\+\+'

setup_is_for_users() {
    apt_has 1:22.1 && makes setup && says "$work/apt.log" '^install .*--no-install-recommends .*clang-22 ' ' llvm-22-dev ' ' lld-22 ' ' libffi-dev' &&
        without "$work/apt.log" "$only_tests"
}
check "make setup installs nothing that only tests need" setup_is_for_users
needs() { # needs TARGET: its prerequisites. make -n would run the tests, as it runs all lines with $(MAKE).
    makes -rp no-such-target 2>"$work/error" | sed -n "/+=/d; s/^$1: //p"
}
demo_is_for_users() { [ "$(needs demo)" = setup ] && [ "$(needs deb)" = setup ]; }
check "nor do make demo and make deb" demo_is_for_users
# Otherwise what `make demo` builds would differ from what is built where tests have run.
product_needs_no_test_headers() {
    ! grep -rnE '#include <(valgrind|check|mpi|omp|thrust|cub|cuda)[/.]|__has_include' \
        --include='*.[chS]' "$top/runtime" "$top/tools"
}
check "nor does their code depend on headers that only tests need" product_needs_no_test_headers
setup_is_for_tests() {
    makes setup-tests && says "$work/apt.log" 'clang-22 ' ' valgrind ' ' qemu-user|aarch64' ' spin ' &&
        says "$work/apt.log" '--no-install-recommends openmpi-bin'
}
check "make setup-tests also installs what tests need" setup_is_for_tests
tests_need_all() {
    local target
    for target in check check-all bench lint; do
        [ "$(needs $target)" = setup-tests ] || { echo "$target needs $(needs $target)"; return 1; }
    done
}
check "so do make check, check-all, bench and lint" tests_need_all
nothing_twice() {
    stub dpkg-query 'echo install ok installed' && makes setup-tests && [ ! -e "$work/apt.log" ]
    local status=$?
    stub dpkg-query 'exit 1'
    return $status
}
check "where all is there, apt is not called" nothing_twice

# system ID CODENAME [ID_LIKE]
system() { printf 'ID=%s\nVERSION_CODENAME=%s\nID_LIKE=%s\n' "$1" "$2" "${3:-}" >"$work/os-release"; }
export CDPCC_OS_RELEASE=$work/os-release
refuses() { # refuses REGEX...: make setup fails with these words and installs nothing
    ! makes setup >"$work/out" 2>&1 && says "$work/out" "$@" && without "$work/apt.log" '^install'
}
tells_the_source() {
    apt_has '(none)'
    system debian bookworm && refuses 'no clang-22' 'debian-security bookworm-security main' || return 1
    system debian trixie && refuses 'debian trixie main' || return 1
    system ubuntu jammy debian && refuses 'apt.llvm.org/jammy/ llvm-toolchain-jammy-22 main' 'clang_source.sh --add 22' || return 1
    system ubuntu noble debian && refuses 'apt.llvm.org/noble/ llvm-toolchain-noble-22 main' 'llvm-snapshot.gpg.key' || return 1
    system fedora '' && refuses 'not known'
}
check "without clang-22, make setup says where it comes from" tells_the_source
docs_say_the_same() { # the commands of docs/install.md are those that the script prints
    local release
    for release in "debian bookworm" "debian trixie" "ubuntu jammy debian" "ubuntu noble debian"; do
        # shellcheck disable=SC2086
        system $release
        PATH="$stubs:$PATH" "$top/packaging/clang_source.sh" 22 2>&1 | sed -n 's/^    //p' | grep -v '^apt-get update' >"$work/commands"
        while read -r line; do
            grep -qF -- "$line" "$top/docs/install.md" || { echo "docs/install.md lacks: $line"; return 1; }
        done <"$work/commands"
    done
}
check "docs/install.md has the same commands" docs_say_the_same
finish
