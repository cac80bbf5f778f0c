#!/bin/bash
# From options to commands: -### is compared with the texts in plan/. After an intended change,
# UPDATE=1 tests/cdpcc/plan.sh writes them again.
# rules: M1 M2
. "$(dirname "$0")/support.bash"

touch a.cu b.cu c.c d.cpp e.s x.o libx.a

# The commands, with the parts replaced that differ between machines and runs.
plan() {
    "$CDPCC" -### "$@" 2>&1 | sed -E \
        -e "s#^((if-[a-z]*: )?)[^ ]*/clang(\+\+)?(-[0-9]+)?( |\$)#\1CLANG\5#" \
        -e 's#[^ ]*/(ld.lld(-[0-9]+)?|ld)( |$)#LD\3#' -e 's#[^ ]*/(llvm-)?ar(-[0-9]+)?( |$)#AR\3#' \
        -e "s#$ROOT#ROOT#g" -e "s#$(dirname "$TMPDIR")#WORK#g" -e 's#/tmp/cdpcc-XXXXXX#TMP#g' \
        -e 's#-cuid=[0-9a-f]{16}#-cuid=HASH#g' -e "s#$(uname -m)-pc-linux-gnu#TRIPLE#"
}

golden() {
    local name=$1 file=$HERE/plan/$1.txt
    shift
    plan "$@" >got.txt
    [ -n "${UPDATE:-}" ] && cp got.txt "$file"
    if cmp -s got.txt "$file"; then
        ok "plan_$name"
    else
        fail "plan_$name" "$(diff "$file" got.txt | head -5 | tr '\n' ' ')"
    fi
}

golden program a.cu -o program
golden all_cases -v a.cu -o program
golden object -c a.cu -o object.o
golden debug -g -G -c a.cu
golden line_info -lineinfo -c a.cu
golden thread_entries --entry=thread -c a.cu
golden block_entries_for_debuggers -g -O2 --entry=block -c a.cu
golden optimized -O3 -std=c++14 -use_fast_math -march=x86-64-v3 -c a.cu
golden shared -shared -Xcompiler -fPIC a.cu -o liba.so
golden mixed a.cu c.c d.cpp e.s x.o libx.a -std=c++17 -lfoo -L lib -o mixed
golden assembly -S a.cu
golden host_assembly -S --cuda-host-only a.cu
golden ir -S -emit-llvm a.cu -o a.ll
golden preprocess -E a.cu
golden preprocess_device -E --cuda-device-only a.cu -o a.ii
golden dependencies -M a.cu
golden dependencies_beside -MD -c a.cu -o sub/a.o
golden device_link -dlink x.o -o link.o -lcudadevrt
golden archive -lib a.cu x.o -o libboth.a
golden sanitize_address -fsanitize=address a.cu -o program
golden sanitize_thread -fsanitize=thread a.cu -o program
golden no_pie -no-pie a.cu -o program
golden user_words -DX=1 -UY -I inc -isystem sys -include pre.h -Xcompiler -Wall,-fopenmp,-DZ \
    -Xlinker -z,now -rdc=false a.cu -o program
golden check --check=space -Wno-cdp-shared-pointer -Werror=cdp-local-pointer a.cu -o program
golden check_all --check a.cu d.cpp -o program
golden check_memory_and_debug --check=memory -g -c a.cu
golden check_race_and_init --check=race --check=init -c a.cu
golden check_leak -O3 --check=leak -c a.cu
golden lab --lab a.cu -o program
golden lab_object --lab -O0 -c a.cu
golden gc_sections -Xlinker --gc-sections a.cu -o program
golden shared_runtime -cudart shared a.cu -o program
golden block_entries --entry=block -c a.cu
golden block_entries_alone --entry=block --threads 1 -c a.cu

# mode NAME CDP ARCH OPTIONS: the options of the device side.
mode() {
    local name=$1 cdp=$2 arch=$3 got
    shift 3
    got=$(plan -c a.cu "$@" | head -1 | grep -oE -- '-D__CDP_MODE=[0-9]|-D__CUDA_ARCH__=[0-9]+' | sort | tr '\n' ' ')
    [ "$got" = "-D__CDP_MODE=$cdp -D__CUDA_ARCH__=$arch " ] && ok "mode_$name" || fail "mode_$name" "$got"
}
mode default 0 900
mode sm_35 1 350 -arch=sm_35
mode sm_37 1 370 -arch sm_37
mode sm_50 0 500 -arch=sm_50
mode sm_72 0 720 -arch sm_72
mode sm_75 0 750 --gpu-architecture=sm_75
mode sm_89 0 890 -arch=sm_89
mode sm_90 2 900 -arch=sm_90
mode sm_90a 2 900 -arch=sm_90a
mode sm_120 2 1200 -arch=compute_120
mode native 0 900 -arch=native
mode highest_of_several 0 860 -gencode arch=compute_50,code=sm_50 -gencode arch=compute_86,code=sm_86
mode gencode_quoted 2 900 -gencode=arch=compute_90,code=\"sm_90,compute_90\"
mode arch_and_code 1 350 -arch=compute_35 -code=sm_35,sm_37
mode forced_cdp1 1 890 -DCUDA_FORCE_CDP1_IF_SUPPORTED
mode forced_cdp1_with_value 1 800 -DCUDA_FORCE_CDP1_IF_SUPPORTED=1 -arch=sm_80
mode not_forced_on_sm_90 2 900 -DCUDA_FORCE_CDP1_IF_SUPPORTED -arch=sm_90
mode forced_cdp1_on_sm_60 1 600 -DCUDA_FORCE_CDP1_IF_SUPPORTED -arch=sm_60
mode explicit_1 1 890 --cdp=1
mode explicit_1_on_sm_70 1 700 --cdp=1 -arch=sm_70
mode explicit_2 2 900 --cdp=2
mode explicit_wins 2 350 --cdp 2 -arch=sm_35
mode explicit_auto 0 900 --cdp=auto -arch=sm_90

# Spellings: one dash or two, '=' or a space.
same() {
    local name=$1 words
    shift
    for words in "${@:2}"; do
        [ "$(plan -c a.cu $words)" = "$(plan -c a.cu $1)" ] || fail "same_$name" "'$words' differs from '$1'"
    done
    ok "same_$name"
}
same std -std=c++14 --std=c++14 "-std c++14" "--std c++14"
same include "-I inc" -Iinc "--include-path inc" --include-path=inc "-include-path inc"
same define -DA=1 "-D A=1" --define-macro=A=1 "--define-macro A=1"
same arch -arch=sm_80 "-arch sm_80" --gpu-architecture=sm_80 "--gpu-architecture sm_80" "-gpu-architecture sm_80"
same rdc -rdc=false "-rdc false" --relocatable-device-code=false "--relocatable-device-code false"
same level -O3 "-O 3" --optimize=3 "--optimize 3"
same compiler "-Xcompiler -Wall" -Xcompiler=-Wall "--compiler-options -Wall" --compiler-options=-Wall
same debug -G --device-debug -device-debug
same fast -use_fast_math --use_fast_math
same stream "-default-stream per-thread" --default-stream=per-thread -default-stream=per-thread
nothing_left plans_make_no_temporaries
finish
