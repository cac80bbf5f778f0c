/* The numbers that block entries count by themselves. Nothing is freed: what a thread did counts
 * after its end, and what a module did after it is unloaded. */
#include "exec/report/counters.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "exec/report/count_sums.h"

/* One counter; its module may have been unloaded since. */
struct counter {
    uint32_t number; /* of the site, or of the basic block */
    uint32_t space, requests, lanes, bytes, parts;
};

/* A copy of the counters of a block entry. Const once published. */
struct table {
    struct table *next;
    uint32_t number, count;
    struct counter items[];
};

/* The numbers of a thread for one table. Owner: the thread; others read it. */
struct values {
    struct values *next; /* const once published */
    const struct table *table;
    uint64_t of[];
};

/* Owner: one OS thread. Others read only `next`, which is const once published. */
struct own {
    struct own *next;       /* so that a leak check finds it after the thread's end */
    struct values **values; /* by the table's number; NULL: not made yet */
    uint32_t length;
};

static _Atomic(struct table *) all_tables;
static _Atomic(struct values *) all_values;
static _Atomic(struct own *) all_own;
static __thread struct own *own;

/* ---- Tables ---- */

static void copy_counter(struct counter *to, const struct cdp_abi_counter *from)
{
    const struct cdp_abi_site *site = from->of;
    *to = (struct counter){
        .number = from->space == CDP_COUNT_SPACES ? cdp_count_number_of(from->of) : site->number,
        .space = from->space,
        .requests = from->requests,
        .lanes = from->lanes,
        .bytes = from->bytes,
        .parts = from->parts,
    };
}

static const struct table *find_table(uint32_t number)
{
    const struct table *table = atomic_load(&all_tables);
    while (table != NULL && table->number != number) {
        table = table->next;
    }
    return table;
}

/* Numbers the table. Several threads may try at once; each publishes its copy before it tries to
 * set the number, so the copy of the number that is set is found. 0 without memory. */
static CDP_COLD uint32_t publish(struct cdp_abi_counters *counters)
{
    static _Atomic uint32_t last;
    struct table *table = cdp_alloc(sizeof *table + counters->count * sizeof *table->items);
    uint32_t before = 0;
    if (table == NULL) {
        return 0;
    }
    table->number = atomic_fetch_add(&last, 1) + 1;
    table->count = counters->count;
    for (uint32_t i = 0; i < counters->count; i++) {
        copy_counter(&table->items[i], &counters->items[i]);
    }
    table->next = atomic_load(&all_tables);
    while (!atomic_compare_exchange_weak(&all_tables, &table->next, table)) {
    }
    bool is_first = __atomic_compare_exchange_n(&counters->number, &before, table->number, false,
                                                __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
    return is_first ? table->number : before;
}

/* ---- Numbers ---- */

static bool has_place(uint32_t number)
{
    if (own == NULL) {
        if ((own = cdp_alloc_zero(sizeof *own)) == NULL) {
            return false;
        }
        own->next = atomic_load(&all_own);
        while (!atomic_compare_exchange_weak(&all_own, &own->next, own)) {
        }
    }
    if (number < own->length) {
        return true;
    }
    uint32_t length = 2 * number + 16;
    struct values **values = cdp_realloc(own->values, length * sizeof(struct values *));
    if (values == NULL) {
        return false;
    }
    for (uint32_t i = own->length; i < length; i++) {
        values[i] = NULL;
    }
    own->values = values;
    own->length = length;
    return true;
}

/* The first time that this thread runs the block entry. */
static CDP_COLD uint64_t *make_values(struct cdp_abi_counters *counters)
{
    uint32_t number = __atomic_load_n(&counters->number, __ATOMIC_ACQUIRE);
    number = number != 0 ? number : publish(counters);
    struct values *values =
        number != 0 && has_place(number)
            ? cdp_alloc_zero(sizeof *values + counters->count * sizeof *values->of)
            : NULL;
    if (values == NULL) {
        return counters->spare;
    }
    values->table = find_table(number);
    values->next = atomic_load(&all_values);
    while (!atomic_compare_exchange_weak(&all_values, &values->next, values)) {
    }
    own->values[number] = values;
    return values->of;
}

uint64_t *cdp_counters_own(struct cdp_abi_counters *counters)
{
    uint32_t number = __atomic_load_n(&counters->number, __ATOMIC_RELAXED);
    struct values *values =
        own != NULL && number < own->length ? own->values[number] : NULL; /* [0] is NULL */
    return CDP_LIKELY(values != NULL) ? values->of : make_values(counters);
}

static void add(const struct counter *counter, uint64_t value)
{
    const struct cdp_count_sum sum = {.requests = value * counter->requests,
                                      .lanes = value * counter->lanes,
                                      .bytes = value * counter->bytes,
                                      .parts = value * counter->parts};
    if (counter->space == CDP_COUNT_SPACES) {
        cdp_count_runs_add(counter->number, sum.requests, sum.lanes);
    } else {
        cdp_count_sum_add(counter->number, counter->space, &sum);
    }
}

void cdp_counters_add_all(void)
{
    for (struct values *values = atomic_load(&all_values); values != NULL; values = values->next) {
        for (uint32_t i = 0; i < values->table->count; i++) {
            uint64_t value = __atomic_load_n(&values->of[i], __ATOMIC_RELAXED);
            if (value != 0) {
                add(&values->table->items[i], value);
            }
        }
    }
}
