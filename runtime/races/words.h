/* Accesses of several threads to words that have records of their own, because their line is split
 * (races/line.h). */
#ifndef CDP_RACES_WORDS_H
#define CDP_RACES_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "races/line.h"
#include "races/order.h"
#include "races/record.h"
#include "races/vector.h"

/* The state of one call of races/vector.h. What is the same for all lanes is read once. */
struct cdp_words_call {
    const struct cdp_race_vector *vector; /* the accesses that are recorded now */
    uint32_t limit; /* records of segments below it are before all that the block does now */
    uint32_t epoch, segment;
};

/* Consecutive words of one line that consecutive lanes access. */
struct cdp_words_part {
    unsigned word, count; /* the first one, and their number */
    unsigned lane;        /* the first word's first lane */
    uint64_t own;         /* as if the line began at the first word: see cdp_line_record */
};

/* What the block knows of a segment, and of a record of it. */
static inline enum cdp_history_seen cdp_words_seen_segment(const struct cdp_words_call *call,
                                                           uint32_t segment)
{
    if (segment < call->limit) {
        return CDP_SEEN_BEFORE;
    }
    bool is_own = call->vector->is_shared || segment == call->segment;
    return is_own ? CDP_SEEN_OWN : cdp_order_look_up(segment, call->vector->block);
}
static inline enum cdp_history_seen cdp_words_seen(const struct cdp_words_call *call,
                                                   uint64_t record)
{
    enum cdp_history_seen what = cdp_words_seen_segment(call, cdp_record_segment(record));
    return cdp_record_set(record) == CDP_SET_GRID ? cdp_order_of_grid(what) : what;
}

/* Whether the record is before what all threads of the block do now. */
static inline bool cdp_words_is_past(const struct cdp_words_call *call, uint64_t record)
{
    enum cdp_history_seen what = cdp_words_seen(call, record);
    return cdp_order_is_before(what) ||
           (what == CDP_SEEN_OWN && cdp_record_segment(record) < call->epoch);
}

/* Whether the words' records of writes, or of reads, are before the accesses. */
bool cdp_words_are_past(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                        const struct cdp_words_part *part, bool writes);
/* Records the accesses that do not race. Returns the lanes of the others. */
uint64_t cdp_words_record(const struct cdp_words_call *call, const struct cdp_shadow_line *line,
                          const struct cdp_words_part *part);
/* The same for a whole word that the threads of own access. True: it is recorded. */
bool cdp_words_record_one(const struct cdp_words_call *call, struct cdp_shadow_cell *cell,
                          uint64_t own);

#endif
