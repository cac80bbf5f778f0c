#!/bin/bash
# Tests of single passes: each ll/PASS/BEHAVIOUR.ll says in its first lines how it is run,
#
#   ; RUN: cdpcc-opt --passes=shift %s | FileCheck %s
#
# and "; CHECK" lines with the expected output, like LLVM's own tests. %s is the file. %p is the text
# that tests of the vectorizer need before their kernels: ll/prelude.inc.
#
#   tests/cdpcc/ll.sh [PATTERN]    only files whose path matches the regular expression
. "$(dirname "$0")/support.bash"
PATH=$(llvm-config-22 --bindir):$PATH
if ! opt=$(make -s -C "$TOP" MODE="${MODE:-release}" cdpcc-opt 2>make.txt | tail -n 1) || [ ! -x "$opt" ]; then
    fail "cdpcc-opt" "does not build: $(tail -n 5 make.txt)"
    finish
fi
mkdir bin && ln -s "$opt" bin/cdpcc-opt && PATH=$work/bin:$PATH

run_lines() { # run_lines FILE: all its RUN lines, joined where they end in a backslash
    sed -n 's/^; RUN: //p' "$1" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta'
}
# Each of the commands must succeed. (set -e is of no use in what is tested by "if".)
all_succeed() { # all_succeed COMMANDS: one a line
    local command
    set -o pipefail
    while IFS= read -r command; do
        eval "$command" </dev/null || return 1
    done <<<"$1"
}
if all_succeed $'false\ntrue'; then
    fail "RUN lines" "the first of two fails unseen"
fi

while read -r file; do
    name=${file#"$HERE/ll/"}
    [[ $name =~ ${1:-.} ]] || continue
    commands=$(run_lines "$file")
    if [ -z "$commands" ]; then
        fail "$name" "has no RUN line"
    elif ! (all_succeed "$(sed -e "s|%s|$file|g" -e "s|%p|$HERE/ll/prelude.inc|g" <<<"$commands")") >out.txt 2>&1; then
        fail "$name" "$(head -n 30 out.txt)"
    else
        ok "$name"
    fi
done < <(find "$HERE/ll" -name '*.ll' | sort)
finish
