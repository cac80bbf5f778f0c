/* Allocations by the host, for calls that are not those of the runtime API, and what memory is. */
#ifndef CDP_API_MEMORY_H
#define CDP_API_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "driver_types.h"

struct cdp_heap_request;
struct cdp_memory;
struct cdp_memory_pool;

/* As cudaMalloc, cudaMallocManaged and cudaHostAlloc, by the request's kind. Sets the last error.
 */
cudaError_t cdp_memory_allocate(void **ptr, const struct cdp_heap_request *request);
/* Rows of a pitch that suits all calls. */
cudaError_t cdp_memory_allocate_rows(void **ptr, size_t *pitch, size_t width, size_t height,
                                     const void *site);
/* As cudaFree, or as cudaFreeHost. site: the program's call, for messages. */
cudaError_t cdp_memory_free(void *ptr, bool is_pinned, const void *site);
/* Like cudaMallocAsync. from: NULL: the pool that the stream's device uses. */
cudaError_t cdp_memory_allocate_async(struct cdp_memory_pool *from, void **ptr, size_t size,
                                      cudaStream_t stream, const void *site);
/* As cdp_memmap_find (mem/memmap.h), and knows the variables of all modules before the first
 * launch, too. */
void cdp_memory_find(const void *ptr, struct cdp_memory *out);

#endif
