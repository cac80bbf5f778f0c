# Compares the counts of a program (CDP_COUNT) with an exercise's limits, and prints what is wrong, if anything.
#
#   awk -f counts.awk LIMITS COUNTS
#
# A line of LIMITS: the memory (global, shared), the operation (ld, st, atom), what is counted (sectors,
# conflicts), and the most of it for each request of a warp. COUNTS has one site on each line.
function member(name,   rest) {
    rest = $0
    if (!sub(".*\"" name "\": ", "", rest)) {
        return 0
    }
    sub(/[,}].*/, "", rest)
    gsub(/"/, "", rest)
    return rest
}

function counted(what, operation) {
    if (what == "sectors") {
        return member("l1tex__t_sectors_pipe_lsu_mem_global_op_" operation ".sum")
    }
    return member("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" operation ".sum")
}

BEGIN {
    verb["ld"] = "reads"
    verb["st"] = "writes"
    verb["atom"] = "changes"
    unit["sectors"] = "sectors of 32 bytes"
    unit["conflicts"] = "bank conflicts"
}

NR == FNR {
    if ($0 !~ /^ *(#|$)/) {
        limits++
        space[limits] = $1
        operation[limits] = $2
        what[limits] = $3
        most[limits] = $4
    }
    next
}

/"operation":/ {
    for (i = 1; i <= limits; i++) {
        if (member("space") != space[i] || member("operation") != operation[i]) {
            continue
        }
        used[i] = 1
        each = counted(what[i], operation[i]) / member("smsp__inst_executed.sum")
        if (each > most[i] && each > worst[i]) {
            worst[i] = each
            place[i] = member("file") ":" member("line")
        }
    }
}

END {
    for (i = 1; i <= limits; i++) {
        if (worst[i]) {
            sub(/.*\//, "", place[i])
            printf "counts: %s: %.1f %s each time a warp %s %s memory; expected: at most %s\n", \
                place[i], worst[i], unit[what[i]], verb[operation[i]], space[i], most[i]
            exit
        }
        if (!used[i] && space[i] == "global") {
            print "counts: no kernel " verb[operation[i]] " global memory"
            exit
        }
    }
}
