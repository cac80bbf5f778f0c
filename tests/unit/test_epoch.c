/* Epochs: a wait is over exactly when everything that was launched before it is complete. */
#include "exec/state/epoch.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "support/suite.h"

enum { MOST = 2000, WAITS = 1000 };

/* The plain definition, to compare with the module: which children are not complete, and which of
 * them were incomplete at the start of each wait. */
struct model {
    struct cdp_epochs epochs;
    uint16_t epoch[MOST];    /* of each incomplete child */
    uint32_t launched[MOST]; /* its number, in launch order */
    uint32_t incomplete, launches;
    uint16_t waits[WAITS];  /* last epoch of each wait that is not over, oldest first */
    uint32_t before[WAITS]; /* number of launches when it began */
    uint32_t waiting;
};

static void launch(struct model *m)
{
    m->epoch[m->incomplete] = m->epochs.open;
    m->launched[m->incomplete++] = m->launches++;
}

static bool is_over(const struct model *m, uint32_t before)
{
    for (uint32_t i = 0; i < m->incomplete; i++) {
        if (m->launched[i] < before) {
            return false;
        }
    }
    return true;
}

static void check_waits(struct model *m)
{
    while (m->waiting > 0 && cdp_epochs_over(&m->epochs, m->waits[0])) {
        ck_assert(is_over(m, m->before[0]));
        m->waiting--;
        for (uint32_t i = 0; i < m->waiting; i++) {
            m->waits[i] = m->waits[i + 1];
            m->before[i] = m->before[i + 1];
        }
    }
    ck_assert(m->waiting == 0 || !is_over(m, m->before[0]));
}

static void complete(struct model *m, uint32_t i)
{
    uint16_t epoch = m->epoch[i];
    m->incomplete--;
    m->epoch[i] = m->epoch[m->incomplete];
    m->launched[i] = m->launched[m->incomplete];
    (void)cdp_epochs_child_done(&m->epochs, epoch);
    check_waits(m);
}

static void begin_wait(struct model *m)
{
    if (m->incomplete > 0) {
        m->before[m->waiting] = m->launches;
        m->waits[m->waiting++] = cdp_epochs_close(&m->epochs, m->incomplete);
        check_waits(m);
    }
}

static void step(struct model *m, unsigned random)
{
    unsigned kind = random % 8;
    if (kind < 3 && m->incomplete < MOST) {
        launch(m);
    } else if (kind < 5 && m->waiting < WAITS) {
        begin_wait(m);
    } else if (m->incomplete > 0) {
        complete(m, random / 8 % m->incomplete);
    }
}

static struct model model;

CDP_TEST(waits_end_when_earlier_launches_are_complete)
{
    srand(1);
    cdp_epochs_init(&model.epochs);
    for (int i = 0; i < 300000; i++) {
        step(&model, (unsigned)rand());
    }
    while (model.incomplete > 0) {
        complete(&model, model.incomplete - 1);
    }
    ck_assert_uint_eq(model.waiting, 0);
    ck_assert_uint_eq(model.epochs.first, model.epochs.open);
    cdp_epochs_finish(&model.epochs);
}

CDP_TEST(a_thousand_waits_over_newest_first)
{
    cdp_epochs_init(&model.epochs);
    for (int i = 0; i < WAITS; i++) {
        launch(&model);
        begin_wait(&model);
    }
    ck_assert_uint_eq(model.waiting, WAITS);
    while (model.incomplete > 1) {
        complete(&model, model.incomplete - 1);
        ck_assert_uint_ge(model.waiting, 1);
    }
    complete(&model, 0);
    ck_assert_uint_eq(model.waiting, 0);
    cdp_epochs_finish(&model.epochs);
}

CDP_TEST(without_memory_a_wait_includes_later_launches)
{
    cdp_epochs_init(&model.epochs);
    for (int i = 0; i < CDP_EPOCHS_FEW; i++) {
        launch(&model);
        begin_wait(&model);
    }
    launch(&model);
    cdp_alloc_set_failure(1, 1);
    ck_assert_uint_eq(cdp_epochs_close(&model.epochs, model.incomplete), model.epochs.open);
    while (model.incomplete > 0) {
        complete(&model, 0);
    }
    ck_assert_uint_eq(model.waiting, 0);
    cdp_epochs_finish(&model.epochs);
}

CDP_TEST_MAIN("epochs", 10)
