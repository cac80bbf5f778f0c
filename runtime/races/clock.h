/* Vector clocks of streams: how far each stream's work comes before something.
 *
 * Launches have numbers that grow (races/history.h). A clock maps streams to the number of a
 * launch: this launch, and all before it in its stream, come before. Clocks never change once made,
 * so launches share them. NULL is the empty clock. */
#ifndef CDP_RACES_CLOCK_H
#define CDP_RACES_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct cdp_clock_entry {
    uintptr_t stream; /* identifies a stream; never 0 */
    uint32_t number;
};

/* Life: counted references; freed with the last one. Everything else is const. */
struct cdp_race_clock {
    _Atomic uint32_t references;
    uint32_t count;
    struct cdp_clock_entry entries[];
};

/* A stream's state. Its owner guards it. */
struct cdp_race_stream {
    struct cdp_race_clock *clock; /* a reference: what the next launch comes after, besides the
                                     launches of this stream */
    uint32_t latest;              /* the latest launch; 0: none */
};

/* Another reference to the clock, which may be NULL. */
struct cdp_race_clock *cdp_clock_share(struct cdp_race_clock *clock);
/* Gives back a reference. */
void cdp_clock_drop(struct cdp_race_clock *clock);
/* Replaces *clock by one that also has the entry, or all entries of other. Without memory *clock
 * stays: then some orders are not known, and may be reported as races. */
void cdp_clock_add(struct cdp_race_clock **clock, uintptr_t stream, uint32_t number);
void cdp_clock_join(struct cdp_race_clock **clock, const struct cdp_race_clock *other);
/* Whether the launch of the stream with that number comes before. */
bool cdp_clock_covers(const struct cdp_race_clock *clock, uintptr_t stream, uint32_t number);

#endif
