/* Findings that wait for the end of their block. */
#include "exec/report/unwritten.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "races/history.h"

enum { MOST = 8, MOST_RACES = 256, TITLE = 200, TEXT = 400 };

/* One for each line; help is a constant. */
struct waiting {
    const struct cdp_abi_site *site;
    const char *help;
    uint32_t thread[3];
    char title[TITLE], memory[TEXT]; /* memory: empty if not known */
};

/* Owned by the block's worker; freed by cdp_unwritten_tell. */
struct cdp_unwritten {
    uint32_t count;
    struct waiting all[MOST];
};

/* The lines with races. Entries are set once, in this order. */
static _Atomic(const struct cdp_abi_site *) lines[MOST_RACES];

static bool is_same_line(const struct cdp_abi_site *a, const struct cdp_abi_site *b)
{
    return a == b || (a->line == b->line && a->file != NULL && b->file != NULL &&
                      strcmp(a->file, b->file) == 0);
}

void cdp_unwritten_has_race(const struct cdp_abi_site *site)
{
    for (int i = 0; i < MOST_RACES; i++) {
        const struct cdp_abi_site *known = NULL;
        if (atomic_compare_exchange_strong(&lines[i], &known, site) || is_same_line(known, site)) {
            return;
        }
    }
}

static bool has_race(const struct cdp_abi_site *site)
{
    for (int i = 0; i < MOST_RACES; i++) {
        const struct cdp_abi_site *known = atomic_load(&lines[i]);
        if (known == NULL) {
            return false;
        }
        if (is_same_line(known, site)) {
            return true;
        }
    }
    return false;
}

static bool is_waiting(const struct cdp_unwritten *list, const struct cdp_abi_site *site)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (is_same_line(list->all[i].site, site)) {
            return true;
        }
    }
    return false;
}

void cdp_unwritten_add(struct cdp_block *block, const struct cdp_finding *finding)
{
    struct cdp_history_block *races = block->races;
    if (races != NULL && races->unwritten == NULL) {
        races->unwritten = cdp_alloc_zero(sizeof *races->unwritten);
    }
    struct cdp_unwritten *list = races != NULL ? races->unwritten : NULL;
    if (list == NULL) {
        (void)cdp_finding_report(finding);
        return;
    }
    if (list->count == MOST || is_waiting(list, finding->at.site)) {
        return;
    }
    struct waiting *entry = &list->all[list->count++];
    entry->site = finding->at.site;
    entry->help = finding->help;
    memcpy(entry->thread, finding->at.thread, sizeof entry->thread);
    snprintf(entry->title, sizeof entry->title, "%s", finding->title);
    snprintf(entry->memory, sizeof entry->memory, "%s",
             finding->memory != NULL ? finding->memory : "");
}

void cdp_unwritten_tell(struct cdp_block *block)
{
    struct cdp_unwritten *list = block->races->unwritten;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct waiting *entry = &list->all[i];
        if (has_race(entry->site)) {
            continue;
        }
        struct cdp_finding finding = {.check = CDP_CHECKS_INIT,
                                      .title = entry->title,
                                      .memory = entry->memory[0] != '\0' ? entry->memory : NULL,
                                      .help = entry->help};
        cdp_finding_place_of(&finding.at, block, entry->thread);
        finding.at.site = entry->site;
        (void)cdp_finding_report(&finding);
    }
    block->races->unwritten = NULL;
    cdp_free(list);
}
