#!/usr/bin/env bash
# cdpcc in new roots of Debian, as a reader of docs/install.md installs it: from its packages, by the
# Dockerfile, by the GitHub action and by GitLab's snippet. Only in `make check-all`: it takes minutes,
# and downloads what it installs.
#
# CDP_TEST_SUITES: the releases of Debian beside bookworm that get the packages (trixie).
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/support/clean_root.bash
. "$top/tests/support/clean_root.bash"
if clean_root_missing; then
    echo "skipped, so nothing was installed in a clean root"
    pass "skipped"
    finish
    exit
fi
example=/usr/share/doc/cdpcc/examples
packages=$work/packages
chmod 755 "$work" # apt reads it as a user of its own
export -n CDPCC

fresh() { # fresh DIR [SUITE]: a copy of the root of that suite
    local made=$work/root.${2:-bookworm}
    [ -d "$made" ] || clean_root "${2:-bookworm}" "$made" || return 1
    rm -rf "$1" && cp -a "$made" "$1"
}
prints_leaves() { says "$work/out" '^quadtree: 5000 points in [0-9]+ leaves'; }

# ---- packages ----

makes_packages() { make -C "$top" deb PACKAGES="$packages" && [ "$(ls "$packages"/*.deb | wc -l)" = 2 ]; }
check "make deb" makes_packages
for suite in bookworm ${CDP_TEST_SUITES:-trixie}; do
    check "a new root of $suite" fresh "$work/$suite" "$suite"
    [ -d "$work/$suite" ] || { finish; exit 1; } # the rest would only say so again
done

# The bars of docs/install.md: 250 MB and, on a quiet machine, 90 seconds.
megabytes() { # of the lists and of the packages, as apt prints them
    awk '/^Fetched/ && !lists { lists = $2 * ($3 == "kB" ? 0.001 : 1) } /^Need to get/ { sub("/.*", "", $5); more = $4 }
        END { printf "%.0f\n", lists + more }' "$1"
}
installs() { # installs SUITE
    local started root=$work/$1
    fresh "$root" "$1" && cp "$packages"/*.deb "$root/root" || return 1
    started=$(date +%s)
    inside "$root" sh -c "apt-get update && apt-get install -y --no-install-recommends /root/*.deb &&
        cdpcc $example/quadtree.cu -o /root/quadtree && /root/quadtree" >"$work/out" 2>&1 || { tail -20 "$work/out"; return 1; }
    echo "$1: $(megabytes "$work/out") MB, $(($(date +%s) - started)) s from the clean root to the first run" | tee -a "$work/figures"
    ! inside "$root" dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' llvm-22-dev gdb 2>/dev/null | grep '^ii' && # users need neither
        prints_leaves && [ "$(megabytes "$work/out")" -le 250 ] && [ $(($(date +%s) - started)) -le $((90 * ${CDP_TEST_PATIENCE:-5})) ]
}
works() { # works SUITE: as a user, also as nvcc, with the tools
    inside "$work/$1" sh -c 'apt-get install -y -qq passwd && useradd --create-home student' &&
        inside "$work/$1" su student -c "cd && cp $example/quicksort.cu $example/check.h . && /usr/lib/cdpcc/bin/nvcc -arch=sm_80 -rdc=true quicksort.cu -o s -lcudadevrt &&
            ./s && cdp-prof ./s && cdpcc --check quicksort.cu -o c && cdp-sanitizer ./c && cdp-fuzz -n 3 ./s && cdp-report ./s &&
            /usr/lib/cdpcc/bin/nvidia-smi -L && pkg=/usr/lib/*-linux-gnu/pkgconfig/cdpcc.pc && grep -q '^prefix=/usr/lib/cdpcc' \$pkg" >"$work/out" 2>&1 &&
        says "$work/out" 'in order' '0 errors' '3 schedules' '^GPU 0'
}
quick_tests() { # quick_tests SUITE
    mkdir -p "$work/$1/src" && cp -r "$top/tests" "$top/examples" "$top/docs" "$work/$1/src" &&
        inside "$work/$1" su student -c "CDPCC=/usr/bin/cdpcc CDP_TEST_WORKERS=2 CDP_TEST_PATIENCE=${CDP_TEST_PATIENCE:-5} \
            /src/tests/run_cu.sh '^s1[0-9]_'" >"$work/out" 2>&1 && says "$work/out" '^[0-9]+ passed, 0 failed'
}
only_library() { # only_library SUITE: libcdprt-dev is enough to link
    echo $'#include <cuda_runtime_api.h>\nint main(void) { int n; return cudaGetDeviceCount(&n); }' >"$work/$1/root/count.c"
    inside "$work/$1" sh -c 'dpkg -r cdpcc && cd /root && for library in cudart cudart_static; do
        clang-22 -I/usr/lib/cdpcc/include count.c -o count -L/usr/lib/cdpcc/lib64 -l$library && LD_LIBRARY_PATH=/usr/lib/cdpcc/lib64 ./count || exit 1; done'
}
goes_away() { # goes_away SUITE
    local left
    inside "$work/$1" dpkg -r libcdprt-dev >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
    left=$(cd "$work/$1" && find usr etc opt var -path var/lib/dpkg -prune -o -iname '*cdp*' -print -o -name 'nvcc' -print)
    [ -z "$left" ] || { echo "left: $left"; return 1; }
}
for suite in bookworm ${CDP_TEST_SUITES:-trixie}; do
    check "$suite: the packages install, and a program runs" installs "$suite"
    check "$suite: a user compiles as nvcc, and the tools work" works "$suite"
    check "$suite: tests pass with the installed compiler" quick_tests "$suite"
    check "$suite: libcdprt-dev links without cdpcc" only_library "$suite"
    check "$suite: dpkg -r leaves nothing" goes_away "$suite"
    rm -rf "${work:?}/$suite"
done

# Sources without the part that has Clang 22: make setup names it and stops, and --add brings it.
without_clang() {
    local root=$work/poor
    fresh "$root" && sed -i '/security/d' "$root"/etc/apt/sources.list.d/*.list &&
        inside "$root" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends make' &&
        mkdir "$root/src" && cp -r "$top/Makefile" "$top/mk" "$top/packaging" "$root/src" || return 1
    ! inside "$root" make -C /src setup >"$work/out" 2>&1 && says "$work/out" 'no clang-22' 'debian-security bookworm-security main' &&
        ! inside "$root" dpkg-query -W llvm-22-dev lld-22 2>/dev/null | grep 22 &&
        inside "$root" sh -c '/src/packaging/clang_source.sh --add 22 && apt-get install -s clang-22 lld-22 && /src/packaging/clang_source.sh 22'
}
check "bookworm without security updates: make setup says where Clang comes from" without_clang
rm -rf "${work:?}/poor"

# ---- the Dockerfile ----

# docker_stage ROOT STAGE: runs the lines of a stage (1, 2) there.
docker_stage() {
    local root=$1 stage=0 word rest at=/ user=root
    local environment=()
    while read -r word rest; do
        [ "$word" != FROM ] || stage=$((stage + 1))
        [ $stage = "$2" ] || continue
        echo "step: $word $rest"
        case $word in
        FROM) ;;
        COPY) docker_copy "$root" "$rest" ;;
        WORKDIR) at=$rest && mkdir -p "$root$at" ;;
        USER) user=$rest ;;
        ENV) environment+=("$rest") ;;
        RUN) inside "$root" env "${environment[@]}" setpriv --reuid="$user" --regid="$user" --init-groups sh -c "cd $at && $rest" </dev/null ;;
        *) echo "unknown: $word" && false ;;
        esac || return 1
    done < <(steps "$top/packaging/docker/Dockerfile")
}
docker_copy() { # docker_copy ROOT "[--from=build] FROM TO"
    local from to
    if [[ $2 == --from=build\ * ]]; then
        read -r _ from to <<<"$2"
        mkdir -p "$1$to" && cp -a "$work/build$from/." "$1$to"
    else
        read -r from to <<<"$2"
        mkdir -p "$1$to" && (cd "$top" && git ls-files -z | xargs -0 cp --parents -t "$1$to")
    fi
}
docker_builds() { fresh "$work/build" && docker_stage "$work/build" 1 && ls "$work"/build/src/build/packages/*.deb; }
check "the Dockerfile's first stage makes the packages" docker_builds
demo_needs_little() { # nothing that only tests need was installed for it
    inside "$work/build" make -C /src demo >"$work/out" 2>&1 && prints_leaves &&
        inside "$work/build" dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' >"$work/installed" &&
        without "$work/installed" '^(qemu-user|valgrind|spin|clang-tidy-22|clangd-22|lldb-22|openmpi-bin|gdb|cmake|ccache|g\+\+-aarch64-linux-gnu|check) ii'
}
check "there make demo runs, without what only tests need" demo_needs_little
knows_valgrind() { # which is installed after the runtime was made
    inside "$work/build" sh -c 'apt-get install -y -qq --no-install-recommends valgrind &&
        /src/build/bin/cdpcc -g -gdwarf-4 --entry=thread /src/examples/quicksort.cu -o /root/quicksort &&
        CDP_WORKERS=2 valgrind -q --error-exitcode=9 /root/quicksort' >"$work/out" 2>&1
}
check "valgrind, installed after that, knows the stacks of device threads" knows_valgrind
own_home() { # with cdpcc's own build, but not its rights
    inside "$work/build" sh -c "useradd --create-home student && cp -a /src /home/student && chown -R student: /home/student/src &&
        su student -c 'cd && make -s -C src install PREFIX=\"\$HOME/my tools\" && \"my tools/bin/nvcc\" --run src/examples/quadtree.cu'" >"$work/out" 2>&1 && prints_leaves
}
check "a user without root installs below their home" own_home
docker_installs() { fresh "$work/lab" && docker_stage "$work/lab" 2 >"$work/out" 2>&1 && prints_leaves; }
check "the second stage installs them, and a user without rights runs a program" docker_installs
rm -rf "$work/lab"

# ---- jobs of CI ----

has_yaml() { "$1" -c 'import yaml' 2>/dev/null; }
python=python3
has_yaml $python || python=/usr/bin/python3
# commands FILE EXPRESSION: what the expression finds in the file, as text
commands() { $python -c "import yaml; f = yaml.safe_load(open('$1')); print('\n'.join($2))"; }

# job FOLDER: a runner with this source tree in /src, with its build folder, so that little is made again.
job() {
    fresh "$1" && cp -a "$work/build/src" "$1/src" && rm -rf "$1/src/build/packages" &&
        printf '#!/bin/sh\nexec "$@"\n' >"$1/usr/local/bin/sudo" &&
        printf '#!/bin/sh\nfor to in "$@"; do :; done; exec cp -a /src "$to"\n' >"$1/usr/local/bin/git" && chmod +x "$1"/usr/local/bin/*
}
github() {
    local root=$work/github
    job "$root" || return 1
    commands "$top/packaging/github/action.yml" "['( ' + s['run'] + ' ) || exit 1' for s in f['runs']['steps'] if 'run' in s]" >"$root/root/steps"
    inside "$root" env GITHUB_ACTION_PATH=/src/packaging/github GITHUB_OUTPUT=/root/output GITHUB_PATH=/root/path GITHUB_ENV=/root/environment \
        PACKAGES= bash -e /root/steps || return 1
    says "$root/root/output" '^hash=[0-9a-f]{20}$' '^system=debian-12$' &&
        inside "$root" bash -ec "export \$(cat /root/environment) PATH=\"\$(cat /root/path):\$PATH\"; nvcc --run \$CUDA_HOME/../../share/doc/cdpcc/examples/quadtree.cu" >"$work/out" 2>&1 && prints_leaves
}
gitlab() {
    local root=$work/gitlab
    job "$root" || return 1
    {
        commands "$top/packaging/gitlab/cdpcc.gitlab-ci.yml" "f['.cdpcc']['before_script']"
        echo "nvcc --run $example/quadtree.cu"
    } >"$root/root/steps"
    inside "$root" env CDPCC_SOURCE=https://example.org/cdpcc.git bash -ec 'mkdir /job && cd /job && . /root/steps' >"$work/out" 2>&1 &&
        prints_leaves && ls "$root"/job/cdpcc-packages/*.deb
}
if has_yaml $python; then
    check "the GitHub action's steps bring nvcc" github
    rm -rf "$work/github"
    check "GitLab's snippet brings nvcc" gitlab
else
    echo "skipped: no Python with yaml"
fi
[ ! -s "$work/figures" ] || sed 's/^/     /' "$work/figures"
finish
