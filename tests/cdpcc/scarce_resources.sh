#!/bin/bash
# Resources outside cdpcc may be short: descriptors, disk space, lengths of names and of the command
# line.
. "$(dirname "$0")/support.bash"

# Closed standard descriptors: 0 for <, 1 and 2 for >.
for closed in 0 1 2 "0 1" "0 2" "1 2" "0 1 2"; do
    name=closed_$(echo "$closed" | tr -d ' ')
    (
        for fd in $closed; do
            case $fd in 0) exec 0<&- ;; 1) exec 1>&- ;; 2) exec 2>&- ;; esac
        done
        exec "$CDPCC" hello.cu -o "$name"
    ) >out.txt 2>err.txt
    status=$?
    [ $status = 0 ] && [ "$("./$name")" = "child 7" ] && ok "$name" || fail "$name" "status $status: $(cat err.txt)"
done
"$CDPCC" --run hello.cu <&- 2>&- >out.txt && grep -q 'child 7' out.txt && ok run_with_closed || fail run_with_closed "no output"
"$CDPCC" -c absent.cu 2>&- <&- && fail error_with_closed "status 0" || ok error_with_closed
nothing_left closed_descriptors_leave_nothing

# A device without space.
for option in --help --version; do
    "$CDPCC" "$option" >/dev/full 2>err.txt && fail "full$option" "status 0" ||
        { [ "$(cat err.txt)" = "cdpcc: error: cannot write to standard output: No space left on device" ] &&
            ok "full$option" || fail "full$option" "$(cat err.txt)"; }
done
"$CDPCC" '-###' hello.cu 2>/dev/full && fail full_plan "status 0" || ok full_plan
for option in "" -c -S "-S -emit-llvm" "-c -emit-llvm" -E -M -dlink -shared "-S --cuda-host-only"; do
    # shellcheck disable=SC2086
    "$CDPCC" $option hello.cu -o /dev/full >out.txt 2>err.txt && fail "full_output$option" "status 0" ||
        { grep -qx "cdpcc: error: cannot write '/dev/full': No space left on device" err.txt &&
            [ "$(wc -l <err.txt)" -le 2 ] && ok "full_output$option" || fail "full_output$option" "$(cat err.txt)"; }
done
"$CDPCC" -E hello.cu >/dev/full 2>err.txt && fail full_stdout "status 0" ||
    { grep -q 'No space left' err.txt && ok full_stdout || fail full_stdout "$(cat err.txt)"; }
[ -c /dev/full ] && ok full_device_survives || fail full_device_survives "/dev/full is gone"

# Names as long as the file system allows.
stem=$(printf 'n%.0s' $(seq 252))
cp hello.cu "$stem.cu"
check long_name_to_program "$CDPCC" "$stem.cu" -o long
[ "$(./long)" = "child 7" ] && ok long_name_runs || fail long_name_runs "other output"
check long_name_to_object "$CDPCC" -c "$stem.cu"
[ -e "$stem.o" ] && ok long_object || fail long_object "none"
check long_name_to_text "$CDPCC" -S "$stem.cu"
check long_output "$CDPCC" hello.cu -o "${stem}xyz"
[ "$("./${stem}xyz")" = "child 7" ] && ok long_output_runs || fail long_output_runs "other output"
check long_name_run "$CDPCC" --run "$stem.cu"
check long_dependencies "$CDPCC" -MD -c "$stem.cu"
wide=$(printf '\xc3\xa4%.0s' $(seq 126))
cp hello.cu "$wide.cu"
check long_name_in_utf8 "$CDPCC" --run "$wide.cu"
cat >"$stem.c" <<'CC'
int main(void) { return 0; }
CC
check long_c_source "$CDPCC" "$stem.c" -o long
rm -f ./*nnnn* ./*ää*

# Files with options.
mkdir directory
refuses options_directory "cannot read the options file 'directory': Is a directory" "$CDPCC" @directory hello.cu
refuses options_directory_by_name "'directory': Is a directory" "$CDPCC" --options-file directory hello.cu
echo '-DX="a b' >open.rsp
refuses open_quotation "the options file 'open.rsp' ends within a quotation" "$CDPCC" @open.rsp hello.cu
printf -- "-DX='a" >open.rsp
refuses open_quotation_of_the_other_kind "'open.rsp' ends within a quotation" "$CDPCC" @open.rsp hello.cu
refuses open_quotation_for_the_compiler "option '-Xcompiler' ends within a quotation" "$CDPCC" -Xcompiler "-DX='a" hello.cu
refuses open_quotation_for_the_linker "option '-Xlinker' ends within a quotation" "$CDPCC" -Xlinker '"a' hello.cu
refuses open_quotation_in_run_arguments "option '-run-args' ends within a quotation" "$CDPCC" -run -run-args '"a' hello.cu
printf -- '-DX\0-DY' >zero.rsp
refuses options_with_a_zero_byte "'zero.rsp' is not text" "$CDPCC" @zero.rsp hello.cu
: >empty.rsp
echo '-DV=1' >one.rsp
check empty_options_file "$CDPCC" @empty.rsp --version
words=$(printf '@one.rsp %.0s' $(seq 300))
# shellcheck disable=SC2086
check three_hundred_options_files "$CDPCC" $words --version
printf '@one.rsp %.0s' $(seq 300) >many.rsp
check files_named_by_a_file "$CDPCC" @many.rsp @many.rsp --version
for i in $(seq 150); do echo "@deep$((i + 1)).rsp" >"deep$i.rsp"; done
echo -c >deep151.rsp
check deep_options_files "$CDPCC" @deep1.rsp hello.cu
echo '@circle2.rsp -c' >circle1.rsp
echo '-O1 @circle1.rsp' >circle2.rsp
refuses options_files_in_a_circle "the options file 'circle1.rsp' names itself" "$CDPCC" @circle1.rsp hello.cu
echo '--options-file self.rsp' >self.rsp
refuses options_file_in_itself "the options file 'self.rsp' names itself" "$CDPCC" @self.rsp hello.cu
check two_options_files "$CDPCC" --options-file one.rsp,many.rsp --version
echo '-o' >value.rsp
check value_after_a_file "$CDPCC" -c @value.rsp value.o hello.cu
seq -f '-DV%.0f=1' 50000 >large.rsp
check large_options_file "$CDPCC" @large.rsp --version

# A comma within a quotation is no end.
cat >comma.cu <<'CC'
static_assert(sizeof(TEXT) == 4, TEXT);
int main() {}
CC
check comma_in_a_quotation "$CDPCC" -Xcompiler "'-DTEXT=\"a,b\"',-O1" -c comma.cu

# Outputs that are not supported.
for option in -cuda --cuda; do
    refuses "no_host_source$option" "option '$option' is not supported: both sides are compiled" "$CDPCC" $option hello.cu
done
for option in -optix-ir -ltoir --optix-ir --ltoir; do
    refuses "no_device_code$option" "option '$option' is not supported: there is no GPU code here" "$CDPCC" $option hello.cu
done
nothing_left scarce_resources_leave_nothing
finish
