/* Work of the host in parts, done by the calling thread and by workers that are free. */
#ifndef CDP_EXEC_LOOP_CREW_H
#define CDP_EXEC_LOOP_CREW_H

#include <stddef.h>

#include "exec/loop/engine.h"

/* Calls run(data, part) once for each part, on any threads, and in parallel.  Returns when all
 * calls have ended. run must be brief and must not block.  Called by a host thread, or by a host
 * function on a worker. */
void cdp_crew_run(struct cdp_engine *engine, size_t parts, void (*run)(void *data, size_t part),
                  void *data);

#endif
