#!/bin/sh
# Installs those of the packages that are missing:
#
#   packaging/install_missing.sh [--no-install-recommends] PACKAGE...
#
# Calls apt only if one is missing, and says what to do where there is no such clang.
# LLVM_VERSION: the version of clang. SUDO: the word before commands for root; may be empty.
set -eu
bare=
if [ "$1" = --no-install-recommends ]; then
    bare=$1
    shift
fi
here=$(dirname "$0")

if ! command -v apt-get >/dev/null; then
    command -v "clang-$LLVM_VERSION" >/dev/null && exit 0 # somebody installed what is needed
    "$here/clang_source.sh" "$LLVM_VERSION"
fi
missing=
for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing"
${SUDO:-} apt-get update -qq
case $missing in *-"$LLVM_VERSION"*) "$here/clang_source.sh" "$LLVM_VERSION" ;; esac
# shellcheck disable=SC2086
${SUDO:-} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $bare $missing
