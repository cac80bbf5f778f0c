#!/bin/bash
# Each option of nvcc is honoured, accepted without effect, or refused with a reason, under its long
# name and under its short one: nvcc_options.txt says which.
# rules: S50
. "$(dirname "$0")/support.bash"

nvcc=$ROOT/bin/nvcc
echo 'int main() {}' >a.cu
echo '-DFROM_FILE' >words.txt
# Only the identity of the unit differs between two calls with different options.
plan() { "$nvcc" -### -v "$@" a.cu 2>&1 | sed -E 's/-cuid=[0-9a-f]{16}//g'; }
plan >base.txt
tail -n 1 base.txt | grep -q -- '-o a\.out$' || fail base "$(tail -n 1 base.txt)"

# with EXPECTED OPTION WORDS...: whether cdpcc does that; what it printed is in got.txt.
with() {
    local kind=${1%% *} text=${1#* } status=0
    shift
    case $kind in
    plan | adds) plan "$@" >got.txt && grep -Eq -- "$text" got.txt ;;
    drops) plan "$@" >got.txt && ! grep -Eq -- "$text" got.txt && grep -q -- '-o a\.out$' got.txt ;;
    same) plan "$@" >got.txt && cmp -s got.txt base.txt ;;
    prints) "$nvcc" "$@" >got.txt 2>&1 && grep -Eq -- "$text" got.txt ;;
    refused)
        "$nvcc" "$@" a.cu >got.txt 2>&1 || status=$?
        [ $status = 1 ] && [ "$(wc -l <got.txt)" = 1 ] && grep -qF -- "$text" got.txt &&
            grep -qF -- "'$1'" got.txt
        ;;
    *) echo "not an expectation: $kind" >got.txt && false ;;
    esac
}

# each FUNCTION: calls FUNCTION NAME EXPECTED WORDS... for each line, with its long and its short name.
each() {
    local long short words expected name
    while IFS='|' read -r long short words expected; do
        long=${long// /} short=${short// /}
        [[ $long == --* ]] || continue
        for name in $long $short; do
            "$1" "$name" "${expected# }" $words
        done
    done <"$HERE/nvcc_options.txt"
}

# Options that can be combined are tried together, the long names and the short ones apart.
same=() long_adds=() short_adds=() names=0
sort_option() {
    names=$((names + 1))
    case $2 in
    same) same+=("$1" "${@:3}") ;;
    adds*) if [ $((names % 2)) = 1 ]; then long_adds+=("$1" "${@:3}"); else short_adds+=("$1" "${@:3}"); fi ;;
    plan* | drops*)
        with "$2" "$1" "${@:3}" || fail "$1" "is not '$2': $(tail -c 300 got.txt)"
        # The plan without the option differs in this.
        [ $((names % 2)) = 0 ] || if grep -Eq -- "${2#* }" base.txt; then
            [[ $2 == drops* ]] || fail "$1" "'$2' also without the option"
        elif [[ $2 == drops* ]]; then fail "$1" "'$2' also without the option"; fi
        ;;
    *) with "$2" "$1" "${@:3}" || fail "$1" "is not '$2': $(head -c 300 got.txt)" ;;
    esac
}
each sort_option
with same "${same[@]}" || fail options_without_effect "$(diff base.txt got.txt | head -c 500)"
plan "${long_adds[@]}" >long.txt
plan "${short_adds[@]}" >short.txt
added() {
    [[ $2 == adds* ]] || return
    grep -Eq -- "${2#adds }" long.txt || fail "$1" "is not '$2': $(tail -c 300 long.txt)"
    grep -Eq -- "${2#adds }" short.txt || fail "$1" "is not '$2': $(tail -c 300 short.txt)"
    ! grep -Eq -- "${2#adds }" base.txt || fail "$1" "'$2' also without the option"
}
each added
names=$((names / 2))
[ $names -ge 130 ] && ok "all_options_of_nvcc ($names)" || fail all_options_of_nvcc "only $names in the list"

refuses wrong_truth_value "takes true or false" "$nvcc" -static-global-template-stub=maybe a.cu
refuses unknown_tool "memcheck, racecheck" "$nvcc" --sanitize=typecheck a.cu
refuses unknown_script "takes use-lcs" "$nvcc" -hls=other a.cu
refuses script_to_write "gen-lcs" "$nvcc" --host-linker-script gen-lcs a.cu
refuses unknown_warning_kind "takes all-warnings" "$nvcc" -Werror=no-such-kind,reorder a.cu
# Options in the environment stand before and after the others; only nvcc reads them.
export NVCC_PREPEND_FLAGS='-DFIRST="a b"' NVCC_APPEND_FLAGS='-DLAST -O1'
plan -DOWN -O3 >got.txt
grep -qE -- "'-DFIRST=a b' .*-DOWN .*-DLAST .*-O1" got.txt && ! grep -q -- -O3 got.txt &&
    ok options_in_the_environment || fail options_in_the_environment "$(head -c 600 got.txt)"
"$CDPCC" -### a.cu 2>&1 | grep -q FIRST && fail environment_of_cdpcc "has an effect" || ok environment_of_cdpcc
NVCC_APPEND_FLAGS='-D "A' refuses open_quotation "NVCC_APPEND_FLAGS ends within a quotation" "$nvcc" a.cu
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS

refuses unknown_option "unknown option '--no-such-option'; cdpcc --help" "$nvcc" --no-such-option a.cu
refuses option_with_a_mistake "unknown option '--chek=race'; did you mean '--check=race'?" "$CDPCC" --chek=race a.cu
refuses value_of_a_whole_word "did you mean '--explain=plan'?" "$CDPCC" --explain=pla a.cu
refuses long_name_with_a_mistake "did you mean '--compiler-options=-g'?" "$nvcc" --comiler-options=-g a.cu
refuses value_with_a_mistake "did you mean 'race'?" "$CDPCC" --check=memory,rcae a.cu
refuses value_of_words_with_a_mistake "did you mean 'per-thread'?" "$nvcc" --default-stream=per-thraed a.cu
finish
