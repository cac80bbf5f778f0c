/* Which accesses of a random program CUDA's rules leave without an order.
 *
 * The order is computed from the program alone, independently of the runtime: as a graph of events
 * with every rule that puts one before another. So it is the expected result for the race check. */
#ifndef CDP_TESTS_FUZZ_ORDER_H
#define CDP_TESTS_FUZZ_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "program.h"

/* A line of the printed program: what the line does, and the number of the step, node or input. */
enum fuzz_line_kind {
    FUZZ_LINE_INPUT = 'r', /* reads a cell: number is an index of program.input */
    FUZZ_LINE_WRITE = 'w', /* step WRITE */
    FUZZ_LINE_OUT = 'o',   /* the last line of a node */
    FUZZ_LINE_COPY = 'c',  /* a node that is a copy */
    FUZZ_LINE_SHARE = 'x', /* step EXCHANGE: the write to shared memory */
    FUZZ_LINE_TAKE = 'y',  /* step EXCHANGE: the read */
};

struct fuzz_line {
    enum fuzz_line_kind kind;
    int number;
};

/* Two lines with accesses of one location, at least one of which writes, that are not ordered. */
struct fuzz_race {
    struct fuzz_line a, b; /* a is first in program order */
    /* Not even an order that the schedule may happen to give, such as that of two threads'
     * launches into one stream, puts one before the other. */
    bool is_certain;
};

/* Finds at most `most` races, each pair of lines once. Returns their number, or -1 if the program
 * is too large. */
int fuzz_races(const struct fuzz_program *program, struct fuzz_race *races, int most);

/* Removes one ordering of the program, chosen by the number, so that there is a certain race.
 * Returns the words for what was removed, or NULL if none of its orderings matters. The races of
 * the changed program are stored as by fuzz_races. */
const char *fuzz_plant(struct fuzz_program *program, uint64_t number, struct fuzz_race *races,
                       int most, int *count);

#endif
