/* All blocks that a worker has started. */
#ifndef CDP_EXEC_REPORT_BLOCKS_H
#define CDP_EXEC_REPORT_BLOCKS_H

struct cdp_block;
struct cdp_executor;
struct cdp_fiber;

/* Called on the executor's thread. running: the thread of the current block that is in no queue, or
 * NULL; visit gets it with that block only. */
void cdp_blocks_visit(struct cdp_executor *executor, const struct cdp_fiber *running,
                      void (*visit)(void *arg, const struct cdp_block *block,
                                    const struct cdp_fiber *running),
                      void *arg);

#endif
