/* Prototypes of the functions of exec/ that compiled code calls; their contract is
 * abi/cdp_abi.def. */
#ifndef CDP_EXEC_STATE_ENTRY_H
#define CDP_EXEC_STATE_ENTRY_H

#include <stdarg.h>
#include <stdint.h>
#include <time.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"

CDP_EXPORT void cdp_abi_syncthreads(void);
/* On x86-64 only.  Compiled code calls it by LLVM's preserve_none convention. */
CDP_EXPORT void cdp_abi_syncthreads_bare(void);
CDP_EXPORT int cdp_abi_syncthreads_count(int predicate);
CDP_EXPORT void cdp_abi_at_barrier(const struct cdp_abi_position *place);
CDP_EXPORT int cdp_abi_syncthreads_and(int predicate);
CDP_EXPORT int cdp_abi_syncthreads_or(int predicate);
CDP_EXPORT void cdp_abi_barrier(uint32_t id, uint32_t threads);
CDP_EXPORT void cdp_abi_barrier_arrive(uint32_t id, uint32_t threads);
CDP_EXPORT uint32_t cdp_abi_barrier_reduce(uint32_t id, uint32_t threads, int predicate,
                                           int operation);
CDP_EXPORT void cdp_abi_tile_sync(uint32_t size);
CDP_EXPORT void cdp_abi_grid_wait(void);
CDP_EXPORT uint32_t cdp_abi_grid_is_cooperative(void);
CDP_EXPORT void cdp_abi_cluster_arrive(void);
CDP_EXPORT void cdp_abi_cluster_wait(void);
CDP_EXPORT uint32_t cdp_abi_cluster_read(uint32_t what);
CDP_EXPORT void *cdp_abi_cluster_map(const void *address, uint32_t rank);
CDP_EXPORT uint32_t cdp_abi_cluster_query(const void *address);
CDP_EXPORT uint32_t cdp_abi_is_cluster_shared(const void *address);

CDP_EXPORT void cdp_abi_mbarrier_init(uint64_t *barrier, uint32_t count);
CDP_EXPORT uint64_t cdp_abi_mbarrier_arrive(uint64_t *barrier, uint32_t count, uint32_t leaving);
CDP_EXPORT void cdp_abi_mbarrier_transact(uint64_t *barrier, uint32_t bytes, uint32_t is_complete);
CDP_EXPORT void cdp_abi_bulk_check(const void *to, const void *from, uint32_t bytes);
CDP_EXPORT void cdp_abi_async_check(void);
CDP_EXPORT void cdp_abi_multicast_check(uint32_t blocks);
CDP_EXPORT uint32_t cdp_abi_mbarrier_test(const uint64_t *barrier, uint64_t phase,
                                          uint32_t is_parity);

struct cdp_tensor_copy;
struct cdp_tensor_map;
CDP_EXPORT void cdp_abi_tensor_check_map(const void *map);
CDP_EXPORT void cdp_abi_tensor_begin(struct cdp_tensor_copy *copy, const void *map);
CDP_EXPORT uint32_t cdp_abi_tensor_next(struct cdp_tensor_copy *copy);
CDP_EXPORT void cdp_abi_tensor_replace(struct cdp_tensor_map *map, uint32_t field, uint32_t ordinal,
                                       uint64_t value);

CDP_EXPORT void cdp_abi_syncwarp(uint32_t mask);
CDP_EXPORT uint32_t cdp_abi_shfl32(uint32_t mask, uint32_t value, uint32_t lane, uint32_t width,
                                   int mode, int *predicate);
CDP_EXPORT uint64_t cdp_abi_shfl64(uint32_t mask, uint64_t value, uint32_t lane, uint32_t width,
                                   int mode, int *predicate);
CDP_EXPORT uint32_t cdp_abi_activemask(void);
CDP_EXPORT uint32_t cdp_abi_ballot(uint32_t mask, int predicate);
CDP_EXPORT uint32_t cdp_abi_match_any32(uint32_t mask, uint32_t value);
CDP_EXPORT uint32_t cdp_abi_match_any64(uint32_t mask, uint64_t value);
CDP_EXPORT uint32_t cdp_abi_match_all32(uint32_t mask, uint32_t value, int *predicate);
CDP_EXPORT uint32_t cdp_abi_match_all64(uint32_t mask, uint64_t value, int *predicate);
CDP_EXPORT uint32_t cdp_abi_reduce32(uint32_t mask, uint32_t value, int operation);

CDP_EXPORT uint32_t cdp_abi_smid(void);
CDP_EXPORT uint32_t cdp_abi_nsmid(void);
CDP_EXPORT uint64_t cdp_abi_globaltimer(void);
CDP_EXPORT clock_t cdp_abi_clock(void);
CDP_EXPORT long long cdp_abi_clock64(void);
CDP_EXPORT void cdp_abi_yield(void);
CDP_EXPORT void cdp_abi_nanosleep(uint32_t nanoseconds);
CDP_EXPORT CDP_NORETURN void cdp_abi_trap(void);
CDP_EXPORT CDP_NORETURN void cdp_abi_exit(void);
CDP_EXPORT void cdp_abi_brkpt(void);
CDP_EXPORT CDP_NORETURN void cdp_abi_assert_fail(const char *text, const char *file, uint32_t line,
                                                 const char *function);
CDP_EXPORT void cdp_abi_assert_lane(const char *text, const char *file, uint32_t line,
                                    const char *function);
CDP_EXPORT void cdp_abi_unread_error(void);
CDP_EXPORT CDP_NORETURN void cdp_abi_pure_virtual(void);
CDP_EXPORT CDP_NORETURN void cdp_abi_stack_overrun(void);

CDP_EXPORT void cdp_abi_cas128(void *address, const void *expected, const void *desired, void *old);
CDP_EXPORT void cdp_abi_exch128(void *address, const void *desired, void *old);

CDP_EXPORT int cdp_abi_printf(const char *format, ...) CDP_PRINTF(1, 2);
/* count is the number of arguments after the format. */
CDP_EXPORT int cdp_abi_printf_counted(uint32_t count, const char *format, ...) CDP_PRINTF(2, 3);
CDP_EXPORT int cdp_abi_vprintf(const char *format, va_list arguments);
CDP_EXPORT int cdp_abi_puts(const char *text);
CDP_EXPORT int cdp_abi_putchar(int character);

#endif
