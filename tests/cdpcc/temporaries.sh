#!/bin/bash
# Temporary files are removed however cdpcc ends, and its children end too. A signal is passed on.
# Several cdpcc at the same time do not disturb each other.
. "$(dirname "$0")/support.bash"

# A slow clang, so that the signal certainly interrupts it.
cat >slow-clang <<EOF
#!/bin/sh
case "\$1" in --version) echo "clang version 22.0.0"; exit;; esac
echo \$\$ >>$work/children
sleep 300
EOF
chmod +x slow-clang

# stop SIGNAL STATUS: cdpcc in the background does not ignore SIGINT under set -m.
stop() {
    : >children
    set -m
    CDPCC_CLANG=$work/slow-clang "$CDPCC" hello.cu -o program 2>/dev/null &
    local pid=$! status=0 i
    set +m
    for i in $(seq 1000); do
        [ "$(wc -l <children)" = 2 ] && break
        sleep 0.05
    done
    kill -"$1" $pid
    wait $pid 2>/dev/null || status=$?
    [ $status = "$2" ] && ok "status_after_$1" || fail "status_after_$1" "$status, not $2"
    # If cdpcc is killed, a separate process removes them.
    for i in $(seq 600); do
        [ "$1" = KILL ] && [ -n "$(ls -A "$TMPDIR")" ] || break
        sleep 0.05
    done
    nothing_left "no_temporaries_after_$1"
    local child alive=0
    while read -r child; do
        # A process for which nobody has waited yet is a zombie, not alive.
        grep -qs '^State:[[:space:]]*[^Z[:space:]]' "/proc/$child/status" && alive=1
    done <children
    [ -s children ] && [ $alive = 0 ] && ok "no_children_after_$1" || fail "no_children_after_$1" "alive"
    [ -e program ] && fail "no_output_after_$1" "program exists"
}
stop TERM 143
stop INT 130
stop HUP 129
stop KILL 137

# If one side fails, the other is stopped, whichever it is, with its own children.
for side in device host; do
    [ $side = device ] && other=host || other=device
    cat >half-clang <<EOF
#!/bin/sh
case "\$1" in --version) echo "clang version 22.0.0"; exit;; esac
case "\$*" in *-fcuda-is-device*) side=device;; *) side=host;; esac
echo "of the $other side: error: early" >&2
if [ \$side = $side ]; then
    until [ -s $work/children ]; do sleep 0.05; done # the other has begun
    exit 1
fi
echo \$\$ >>$work/children
exec sleep 300
EOF
    chmod +x half-clang
    : >children
    SECONDS=0
    CDPCC_CLANG=$work/half-clang "$CDPCC" hello.cu -o program 2>err.txt
    status=$?
    [ $status = 1 ] && [ $SECONDS -lt 150 ] && ok "failed_${side}_stops_the_other" ||
        fail "failed_${side}_stops_the_other" "status $status after $SECONDS seconds"
    kill -0 "$(cat children)" 2>/dev/null && fail "no_other_child_after_a_failed_$side" "alive" ||
        ok "no_other_child_after_a_failed_$side"
    [ "$(grep -c early err.txt)" = 1 ] && ! grep -q signal err.txt && ok "words_after_a_failed_$side" ||
        fail "words_after_a_failed_$side" "$(cat err.txt)"
    nothing_left "no_temporaries_after_a_failed_$side"
done

# A compiler that crashes is named, and the status is 1.
printf '#!/bin/sh\ncase "$1" in --version) echo "clang version 22.0.0"; exit;; esac\nkill -SEGV $$\n' >crashing-clang
chmod +x crashing-clang
CDPCC_CLANG=$work/crashing-clang "$CDPCC" -c hello.cu 2>err.txt
[ $? = 1 ] && grep -q "the device side of 'hello.cu' ended by signal 11" err.txt &&
    ok crash_of_the_compiler || fail crash_of_the_compiler "$(cat err.txt)"
nothing_left no_temporaries_after_a_crash

check keep_leaves_them "$CDPCC" -keep -c hello.cu
kept=$(sed -n 's/.*temporary files are in //p' err.txt)
[ -e "$kept/0-hello.device.bc" ] && ok keep_names_the_directory || fail keep_names_the_directory "$kept"
rm -rf "$kept"

for i in 1 2 3 4 5 6; do
    sed "s/: 7/: $i/" hello.cu >many.cu.tmp
    mkdir -p "many$i" && mv many.cu.tmp "many$i/many.cu"
done
pids=
for i in 1 2 3 4 5 6; do
    "$CDPCC" "many$i/many.cu" -o "many$i/program" &
    pids="$pids $!"
done
for pid in $pids; do
    wait "$pid" || fail parallel_runs "status $?"
done
for i in 1 2 3 4 5 6; do
    [ "$("many$i/program")" = "child $i" ] || fail parallel_runs "program $i: $("many$i/program" 2>&1)"
done
[ $failures = 0 ] && ok parallel_runs
nothing_left parallel_runs_leave_nothing

# --run: arguments, status, signals.
check run_passes_arguments "$CDPCC" --run hello.cu -x "two words"
printf 'child 30\nargument -x\nargument two words\n' | cmp -s - out.txt &&
    ok run_shows_output || fail run_shows_output "$(cat out.txt)"
echo 'int main() { return 42; }' >status.cu
"$CDPCC" -run status.cu
[ $? = 42 ] && ok run_gives_the_status || fail run_gives_the_status "other"
echo 'int main() { __builtin_trap(); }' >trap.cu
"$CDPCC" --run trap.cu 2>err.txt
[ $? -gt 128 ] && grep -q "ended by signal" err.txt && ok run_gives_the_signal || fail run_gives_the_signal "$(cat err.txt)"
nothing_left run_leaves_nothing
finish
