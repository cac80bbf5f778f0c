/* Work of the host's in parts, done by the calling thread and by the workers that are free. */
#ifndef CDP_EXEC_LOOP_CREW_H
#define CDP_EXEC_LOOP_CREW_H

#include <stddef.h>

#include "exec/loop/engine.h"

/* Calls run(data, part) for all parts; each once, on whatever thread, any number at a time.
 * Returns when all have ended.  run is brief, and blocks for nothing.  From a host thread or
 * from a host function on a worker. */
void cdp_crew_run(struct cdp_engine *engine, size_t parts, void (*run)(void *data, size_t part),
                  void *data);

#endif
