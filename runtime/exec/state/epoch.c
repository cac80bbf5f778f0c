/* Epochs of a block's launches. */
#include "exec/state/epoch.h"

#include "base/alloc.h"
#include "base/attr.h"

void cdp_epochs_init(struct cdp_epochs *epochs)
{
    epochs->open = epochs->first = 0;
    epochs->closed_children = 0;
    epochs->mask = CDP_EPOCHS_FEW - 1;
    epochs->counts = epochs->few;
}

void cdp_epochs_finish(struct cdp_epochs *epochs)
{
    if (epochs->counts != epochs->few) {
        cdp_free(epochs->counts);
    }
}

static CDP_NOINLINE bool grow(struct cdp_epochs *epochs)
{
    enum { FACTOR = 8 };
    uint32_t size = (epochs->mask + 1) * FACTOR;
    uint32_t *counts = cdp_alloc(size * sizeof *counts);
    if (counts == NULL) {
        return false;
    }
    for (uint16_t e = epochs->first; e != epochs->open; e++) {
        counts[e & (size - 1)] = epochs->counts[e & epochs->mask];
    }
    cdp_epochs_finish(epochs);
    epochs->counts = counts;
    epochs->mask = size - 1;
    return true;
}

uint16_t cdp_epochs_close(struct cdp_epochs *epochs, uint32_t children)
{
    if (children == epochs->closed_children) {
        return (uint16_t)(epochs->open - 1); /* the open epoch has no launches */
    }
    uint32_t closed = (uint16_t)(epochs->open - epochs->first);
    if (CDP_UNLIKELY(closed > epochs->mask) && !grow(epochs)) {
        return epochs->open;
    }
    epochs->counts[epochs->open & epochs->mask] = children - epochs->closed_children;
    epochs->closed_children = children;
    return epochs->open++;
}

bool cdp_epochs_leave(struct cdp_epochs *epochs, uint16_t epoch)
{
    epochs->closed_children--;
    if (--epochs->counts[epoch & epochs->mask] != 0 || epoch != epochs->first) {
        return false;
    }
    while (epochs->first != epochs->open && epochs->counts[epochs->first & epochs->mask] == 0) {
        epochs->first++;
    }
    return true;
}
