# shellcheck shell=bash
# Sourced by the scripts that test checked programs. The script sets kinds, a list for --check.

compile() { # compile NAME FLAGS...: $work/NAME.cu to $work/NAME
    local name=$1
    shift
    "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} --check="$kinds" "$@" "$work/$name.cu" -o "$work/$name"
}

# One run, which must end with the status: its findings are in $work/text and $work/json, its output
# in $work/out and $work/err.
run() { # run NAME [STATUS [ARGUMENTS...]]
    local name=$1 expected=${2:-0} status
    shift
    [ $# -eq 0 ] || shift
    CDP_CHECK_LOG=$work/text CDP_CHECK_JSON=$work/json "$work/$name" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" = "$expected" ] || { echo "status $status"; cat "$work/err"; return 1; }
    python3 -m json.tool "$work/json" >/dev/null || { cat "$work/json"; return 1; }
}

has() { # has FILE TEXT...: the file has each text
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$file" || { echo "lacks: $text"; cat "$file"; return 1; }
    done
}

findings() { # findings N: the last run had N
    has "$work/json" "\"findings\": $1,"
}
