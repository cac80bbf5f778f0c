/* The invariants of a host stream. */
#include "stream/command.h"

bool cdp_stream_is_valid(const struct cdp_stream *stream)
{
    uint32_t length = 0;
    uint64_t ticket = 0;
    const struct cdp_command *last = NULL;
    for (const struct cdp_command *command = stream->head; command != NULL;
         command = command->next) {
        bool is_later = command->ticket > ticket;
        bool is_first = command == stream->head;
        if (!is_later || command->stream != stream || (command->started && !is_first)) {
            return false;
        }
        ticket = command->ticket;
        length += command->weight;
        last = command;
    }
    uint64_t oldest = stream->head != NULL ? stream->head->ticket : CDP_NO_TICKET;
    /* Relaxed: set under the lock, which the caller has. */
    return last == stream->tail && length == stream->length && ticket <= stream->newest &&
           oldest == atomic_load_explicit(&stream->oldest, memory_order_relaxed);
}
