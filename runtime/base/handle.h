/* Handles: numbers that users hold in place of pointers. A stale, foreign or invented handle is
 * recognized without any access to memory.
 *
 * A handle packs a tag (which table), a generation and a slot number:
 *   bits 63..56 tag, 55..24 generation, 23..0 slot + 1.
 * It is no canonical address, so a program that dereferences one faults at once. A slot's
 * generation grows each time it is freed. An old handle would become valid again only after 2^32
 * reuses of one slot.
 *
 * The table has no lock of its own: its owner's lock protects it. */
#ifndef CDP_BASE_HANDLE_H
#define CDP_BASE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"

/* The state of a number with respect to a table. */
enum cdp_handle_state {
    CDP_HANDLE_FOREIGN, /* never a handle of it */
    CDP_HANDLE_ENDED,   /* was a handle, and was removed */
    CDP_HANDLE_LIVE,
};

struct cdp_handle_slot {
    void *object;        /* NULL: free */
    uint32_t generation; /* of the live or the next handle */
    uint32_t next_free;  /* slot + 1; 0 = end */
};

/* Zeroed memory with a tag is a valid empty table. */
struct cdp_handle_table {
    struct cdp_handle_slot *slots; /* owned */
    uint32_t count, capacity;      /* count: slots ever used */
    uint32_t first_free;           /* slot + 1; 0 = none */
    uint8_t tag;                   /* 1..126, const: the handle is no canonical address */
};

/* A new handle for object; 0 if there is no memory. */
uint64_t cdp_handle_create(struct cdp_handle_table *table, void *object) CDP_MUST_CHECK;
/* The object, or NULL if the handle is not a live one of this table. */
void *cdp_handle_find(const struct cdp_handle_table *table, uint64_t handle);
/* Frees the handle and returns its object; NULL as above. */
void *cdp_handle_remove(struct cdp_handle_table *table, uint64_t handle);
/* Removes every handle for whose object takes returns true; the old ones stay invalid. takes is
 * NULL: all handles. */
void cdp_handle_clear(struct cdp_handle_table *table, bool (*takes)(void *object, void *arg),
                      void *arg);

/* For reports. */
enum cdp_handle_state cdp_handle_state(const struct cdp_handle_table *table, uint64_t handle);

#endif
