#!/bin/bash
# Every wrong command line gives one sentence that names the error, and status 1.
. "$(dirname "$0")/support.bash"

cp hello.cu second.cu
echo 'int f(void) { return 0; }' >plain.c
mkdir directory
printf '@loop.rsp' >loop.rsp

refuses no_arguments "no input files" "$CDPCC"
refuses options_only "no input files" "$CDPCC" -O2
refuses unknown_option "'--bogus'" "$CDPCC" --bogus hello.cu
refuses unknown_check "'spaces' is not a value of option '--check'; it takes memory,init,race,sync,api,leak,space" "$CDPCC" --check=spaces hello.cu
refuses no_check "'' is not a value of option '--check'" "$CDPCC" --check= hello.cu
refuses unknown_short_option "'-q'" "$CDPCC" -q hello.cu
refuses unknown_long_option_with_value "'--bogus=1'" "$CDPCC" --bogus=1 hello.cu
refuses missing_input "'absent.cu': No such file" "$CDPCC" absent.cu
refuses missing_object "'absent.o': No such file" "$CDPCC" hello.cu absent.o
refuses input_is_a_directory "'directory.cu': Is a directory" \
    sh -c "mkdir directory.cu; '$CDPCC' directory.cu"
refuses unknown_kind_of_file "'what.xyz'" "$CDPCC" what.xyz
refuses standard_input "standard input" "$CDPCC" -x cu -
refuses unknown_language "'fortran' is not a value of option '-x'" "$CDPCC" -x fortran hello.cu
for option in -o -arch -gencode -I -D -L -l -Xcompiler -Xlinker -include -std --cdp -x \
    --maxrregcount -ccbin --options-file -MF; do
    refuses "value_missing$option" "option '$option' needs a value" "$CDPCC" hello.cu $option
done
refuses bad_arch "'fermi' is not a value of option '-arch'" "$CDPCC" -arch=fermi hello.cu
refuses bad_code "'fermi' is not a value of option '-code'" "$CDPCC" -code=fermi hello.cu
refuses bad_gencode "option '-gencode'" "$CDPCC" -gencode code=sm_90 hello.cu
refuses bad_rdc "'maybe' is not a value of option '-rdc'" "$CDPCC" -rdc=maybe hello.cu
refuses bad_mode "'3' is not a value of option '--cdp'" "$CDPCC" --cdp=3 hello.cu
refuses bad_level "'9' is not a value of option '-O'" "$CDPCC" -O9 hello.cu
refuses bad_stream "option '--default-stream'" "$CDPCC" --default-stream=none hello.cu
refuses bad_runtime "option '-cudart'" "$CDPCC" -cudart=dynamic hello.cu
refuses bad_threads "option '--threads'" "$CDPCC" --threads=many hello.cu
refuses bad_machine "'32' is not a value of option '-m'" "$CDPCC" --machine 32 hello.cu
refuses bad_fmad "option '-fmad'" "$CDPCC" -fmad=perhaps hello.cu
refuses no_32_bit "'-m32'" "$CDPCC" -m32 hello.cu
refuses no_lto "'-flto=thin'" "$CDPCC" -flto=thin hello.cu
refuses bad_sanitizer "'memory' is not a value of option '-fsanitize'" "$CDPCC" -fsanitize=memory hello.cu
refuses two_sanitizers "cannot be combined" "$CDPCC" -fsanitize=address,thread hello.cu
refuses one_output_for_two "'both.o'" "$CDPCC" -c hello.cu second.cu -o both.o
refuses nothing_to_compile "nothing to compile" sh -c "touch x.o; '$CDPCC' -c x.o"
refuses run_and_compile "--run" "$CDPCC" -c --run hello.cu
refuses output_is_the_input "'hello.cu' is an input" "$CDPCC" hello.cu -c -o hello.cu
refuses output_in_no_directory "cannot write 'absent/hello.o': No such file" \
    "$CDPCC" -c hello.cu -o absent/hello.o
refuses output_is_a_directory "cannot write 'directory': Is a directory" \
    "$CDPCC" hello.cu -o directory
mkdir one two && touch one/same.cu two/same.cu
refuses two_inputs_for_one_output "'same.o'" "$CDPCC" -c one/same.cu two/same.cu
refuses source_from_a_pipe "must be a regular file" bash -c "'$CDPCC' -x cu -c <(cat hello.cu)"
refuses options_file_missing "'absent.rsp'" "$CDPCC" @absent.rsp
refuses options_file_in_itself "names itself" "$CDPCC" @loop.rsp
refuses no_temporary_directory "'/nonexistent'" env TMPDIR=/nonexistent "$CDPCC" hello.cu
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod a-w locked
    refuses output_in_a_locked_directory "Permission denied" "$CDPCC" -c hello.cu -o locked/x.o
fi

refuses clang_named_and_missing "CDPCC_CLANG=absent-clang" env CDPCC_CLANG=absent-clang "$CDPCC" hello.cu
refuses clang_that_is_none "/bin/false" env CDPCC_CLANG=/bin/false "$CDPCC" hello.cu
printf '#!/bin/sh\necho "clang version 14.0.6"\n' >old-clang
chmod +x old-clang
refuses clang_too_old "clang 14; cdpcc needs clang 22" env CDPCC_CLANG=./old-clang "$CDPCC" hello.cu
refuses clang_missing "clang is missing" env PATH="$work/directory" "$CDPCC" hello.cu
mkdir bin && ln -s "$work/old-clang" bin/clang
refuses clang_on_the_path_too_old "clang 14; cdpcc needs clang 22" env PATH="$work/bin" "$CDPCC" hello.cu

# Device code's errors are followed by their number. An empty variable counts as not set.
cat >kernel.cu <<'CU'
__global__ void k(float *a) { a[threadIdx.x] *= 2; }
int main() { k<<<1, 32>>>(nullptr); }
CU
refuses_setting() { # refuses_setting VARIABLE TEXT VALUE...
    local name=$1 text=$2 value
    for value in "${@:3}"; do
        if env "$name=$value" "$CDPCC" -c kernel.cu -o kernel.o >out.txt 2>err.txt; then
            fail "$name" "takes '$value'"
        elif [ "$(head -1 err.txt)" != "cdpcc: error: $name=$value: must be $text" ]; then
            fail "$name" "says '$(cat err.txt)' of '$value'"
        else
            ok "${name}_$value"
        fi
    done
    check "${name}_empty" env "$name=" "$CDPCC" -c kernel.cu -o kernel.o
}
refuses_setting CDPCC_LANES '4, 8 or 16' 0 -4 lanes 32 4x 99999999999999999999
refuses_setting CDPCC_VECTORS '1, 2, 4, 8 or 16' 0 -1 many 3 32 ' 1' 99999999999999999999
refuses_setting CDPCC_SIZES 'none, or sizes of blocks as in 256x1x1,16x16x1' 0 -32 large 32x0x1 32x32x2 32x1x1x1 \
    99999999999999999999 32x1x1,,64x1x1
refuses_setting CDPCC_ALONG_Y '0 or 1' yes -1
refuses_setting CDPCC_CALLS 'vectors or lanes' 1 vector
refuses_setting CDPCC_VERIFY '0 or 1' yes -1
nothing_left wrong_command_lines_leave_nothing
finish
