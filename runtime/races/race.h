/* The race check: two accesses of one word, at least one of which writes, that nothing orders.
 *
 * Each access asks whether the recorded accesses of its words are before it (races/order.h), and is
 * then recorded itself (races/shadow.h). It does not matter in which order the two ran. */
#ifndef CDP_RACES_RACE_H
#define CDP_RACES_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "races/order.h"

/* An access of the running thread. */
struct cdp_race_access {
    const void *address;
    size_t size;
    uint32_t site; /* 0: none, as for copies; of host code: races/host_site.h */
    bool writes, is_atomic;
    /* A plain access by host code or a copy that may set or read a flag: it does not race with
     * atomic accesses of device code. */
    bool is_flag;
    /* By the host or an operation of a stream: it is checked twice, and a record that it replaces
     * is compared, though another thread made it since the comparison. So of two such accesses at
     * the same time one sees the other. */
    bool is_exact;
    bool is_tentative;               /* not recorded if it races: it is checked again */
    bool is_shared;                  /* to the block's shared memory */
    struct cdp_history_block *block; /* NULL: the host */
    uint32_t thread;
};

/* The recorded access of a race. */
struct cdp_race_conflict {
    const void *address; /* of the word */
    struct cdp_order_access access;
    uint32_t site; /* 0: not known */
    bool writes, is_atomic;
    enum cdp_order_rule rule;
};

bool cdp_race_start(void) CDP_MUST_CHECK;
void cdp_race_stop(void);

/* Checks the access and records it. True if it races: *out is then the first conflict. */
bool cdp_race_check(const struct cdp_race_access *access, struct cdp_race_conflict *out);

/* Nothing is pending, and the calling thread has waited for everything. */
void cdp_race_settled(void);

#endif
