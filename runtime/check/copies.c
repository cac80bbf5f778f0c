/* A copy of memory that nobody wrote, to memory without bits: mostly the results of a kernel that
 * did not write them.
 *
 * A copy of which some bytes were written is no finding: there is padding in classes, and programs
 * copy a whole buffer of which a kernel has filled a part. */
#include "check/copies.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "check/unseen.h"
#include "exec/report/finding.h"
#include "mem/describe.h"
#include "mem/written.h"

static const char *row_of(const struct cdp_box *box, size_t y, size_t z)
{
    return box->base + z * box->slice + y * box->pitch;
}

/* Whether the copy has bytes and nobody wrote one of them. */
static bool is_empty(const struct cdp_copy *copy)
{
    for (size_t z = 0; z < copy->depth; z++) {
        for (size_t y = 0; y < copy->height; y++) {
            const char *row = row_of(&copy->from, y, z);
            if (cdp_written_is_empty(row, copy->width)) {
                cdp_check_find_unseen_writes(row, copy->width);
            }
            if (!cdp_written_is_empty(row, copy->width)) {
                return false;
            }
        }
    }
    return copy->depth != 0 && copy->height != 0;
}

void cdp_check_copy(const struct cdp_copy *copy, const void *site)
{
    char title[200], memory[1300];
    if (!cdp_finding_is_on(CDP_CHECKS_INIT) || cdp_written_is_checked(copy->to.base) ||
        !is_empty(copy)) {
        return;
    }
    uint64_t bytes = (uint64_t)copy->width * copy->height * copy->depth;
    snprintf(title, sizeof title, "copy of %" PRIu64 " byte%s of memory that nobody wrote", bytes,
             bytes == 1 ? "" : "s");
    struct cdp_finding finding = {
        .check = CDP_CHECKS_INIT,
        .title = title,
        .at = {.pc = (const char *)site - 1},
        .memory = cdp_describe_address(copy->from.base, memory, sizeof memory) ? memory : NULL,
        .help =
            "let a kernel, cudaMemset or cudaMemcpy write the memory first; does the kernel run, "
            "and write to this memory?",
    };
    (void)cdp_finding_report(&finding);
}
