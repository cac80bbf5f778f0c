/* Communicators: handles, queries, the end. */
#include "api/nccl/comm.h"

#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/nccl/net.h"
#include "api/nccl/round.h"
#include "api/runtime.h"
#include "base/alloc.h"

enum { COMM_TAG = 0x4e /* 'N' */ };

struct cdp_nccl_all cdp_nccl_all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_NCCL),
                                    .comms = {.tag = COMM_TAG}};

static uint64_t number_of(ncclComm_t handle)
{
    return (uintptr_t)(void *)handle;
}

struct cdp_nccl_comm *cdp_nccl_comm_find(ncclComm_t handle)
{
    return cdp_handle_find(&cdp_nccl_all.comms, number_of(handle));
}

/* ---- Life ---- */

struct cdp_nccl_comm *cdp_nccl_comm_new(unsigned device, int rank, int size)
{
    struct cdp_nccl_comm *comm = cdp_alloc_zero(sizeof *comm);
    if (comm == NULL) {
        return NULL;
    }
    comm->device = device;
    comm->rank = rank;
    comm->refs = 1;
    comm->blocks = true;
    comm->state = ncclInProgress;
    comm->sends = cdp_alloc_zero((size_t)size * sizeof *comm->sends);
    comm->receives = cdp_alloc_zero((size_t)size * sizeof *comm->receives);
    cdp_lock_acquire(&cdp_nccl_all.lock);
    uint64_t number = cdp_handle_create(&cdp_nccl_all.comms, comm);
    comm->handle = (ncclComm_t)(void *)(uintptr_t)number;
    if (number == 0 || comm->sends == NULL || comm->receives == NULL) {
        cdp_nccl_comm_forget(comm);
        comm = NULL;
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    return comm;
}

static void free_world(struct cdp_nccl_world *world)
{
    cdp_free(world->comms);
    cdp_free(world->peers);
    cdp_free(world->has_left);
    cdp_free(world);
}

void cdp_nccl_world_release(struct cdp_nccl_world *world)
{
    bool is_needed = world->refs > 0 || world->rounds != NULL;
    for (int i = 0; i < world->size && !is_needed; i++) {
        is_needed = world->peers[i] != NULL && !world->has_left[i];
    }
    if (is_needed) {
        return;
    }
    struct cdp_nccl_world **link = &cdp_nccl_all.worlds;
    while (*link != world) {
        link = &(*link)->next;
    }
    *link = world->next;
    free_world(world);
}

void cdp_nccl_comm_drop(struct cdp_nccl_comm *comm)
{
    if (--comm->refs > 0) {
        return;
    }
    if (comm->world != NULL) {
        comm->world->comms[comm->rank] = NULL;
        comm->world->refs--;
        cdp_nccl_world_release(comm->world);
    }
    cdp_free(comm->sends);
    cdp_free(comm->receives);
    cdp_free(comm->scales);
    while (comm->shrinks != NULL) {
        struct cdp_nccl_shrinks *first = comm->shrinks;
        comm->shrinks = first->next;
        cdp_free(first);
    }
    cdp_free(comm);
}

void cdp_nccl_comm_forget(struct cdp_nccl_comm *comm)
{
    (void)cdp_handle_remove(&cdp_nccl_all.comms, number_of(comm->handle));
    cdp_nccl_comm_drop(comm);
}

struct cdp_nccl_world *cdp_nccl_world_new(uint64_t id, int size, int local)
{
    struct cdp_nccl_world *world = cdp_alloc_zero(sizeof *world);
    if (world == NULL) {
        return NULL;
    }
    world->id = id;
    world->size = size;
    world->local = local;
    world->comms = cdp_alloc_zero((size_t)size * sizeof(struct cdp_nccl_comm *));
    world->peers = cdp_alloc_zero((size_t)size * sizeof(struct cdp_nccl_peer *));
    world->has_left = cdp_alloc_zero((size_t)size * sizeof(bool));
    if (world->comms == NULL || world->peers == NULL || world->has_left == NULL) {
        free_world(world);
        return NULL;
    }
    world->next = cdp_nccl_all.worlds;
    cdp_nccl_all.worlds = world;
    return world;
}

struct cdp_nccl_world *cdp_nccl_world_find(uint64_t id)
{
    struct cdp_nccl_world *world = cdp_nccl_all.worlds;
    while (world != NULL && world->id != id) {
        world = world->next;
    }
    return world;
}

void cdp_nccl_world_join(struct cdp_nccl_world *world, struct cdp_nccl_comm *comm)
{
    comm->world = world;
    world->comms[comm->rank] = comm;
    world->refs++;
    world->joined++;
}

/* ---- The start of calls ---- */

static ncclResult_t refuse(ncclComm_t handle) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (handle == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "the communicator is NULL");
    }
    enum cdp_handle_state state = cdp_handle_state(&cdp_nccl_all.comms, number_of(handle));
    return cdp_nccl_fail(ncclInvalidArgument, "communicator %p %s", (void *)handle,
                         state == CDP_HANDLE_ENDED ? "was destroyed" : "was never made");
}

ncclResult_t cdp_nccl_enter(const char *call, ncclComm_t handle, struct cdp_nccl_comm **comm)
{
    cdp_nccl_call = call;
    cdp_lock_acquire(&cdp_nccl_all.lock);
    *comm = cdp_nccl_comm_find(handle);
    return *comm != NULL ? ncclSuccess : refuse(handle);
}

ncclResult_t cdp_nccl_leave(ncclResult_t result)
{
    cdp_lock_release(&cdp_nccl_all.lock);
    return result;
}

static ncclResult_t check_world(const struct cdp_nccl_comm *comm) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (comm->state == ncclInProgress) {
        return cdp_nccl_fail(ncclInvalidArgument,
                             "the communicator is not ready: wait until ncclCommGetAsyncError "
                             "gives ncclSuccess, or until ncclGroupEnd has returned");
    }
    if (comm->world == NULL) {
        return cdp_nccl_fail(comm->state, "the communicator could not be initialized");
    }
    if (comm->world->error != ncclSuccess) {
        return cdp_nccl_again(comm->world->error, comm->world->text);
    }
    return comm->has_ended
               ? cdp_nccl_fail(ncclInvalidUsage, "ncclCommFinalize has ended the communicator")
               : ncclSuccess;
}

ncclResult_t cdp_nccl_enter_world(const char *call, ncclComm_t handle, struct cdp_nccl_comm **comm)
{
    ncclResult_t result = cdp_nccl_enter(call, handle, comm);
    return result == ncclSuccess ? check_world(*comm) : result;
}

/* ---- Queries ---- */

static ncclResult_t answer(const char *call, ncclComm_t handle, int *out,
                           int (*of)(const struct cdp_nccl_comm *comm))
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter(call, handle, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    bool is_ready = comm->world != NULL && comm->state == ncclSuccess;
    if (is_ready && out != NULL) {
        *out = of(comm);
    }
    result = is_ready ? ncclSuccess : check_world(comm);
    (void)cdp_nccl_leave(result);
    return result != ncclSuccess || out != NULL
               ? result
               : cdp_nccl_fail(ncclInvalidArgument, "there is no place for the result");
}

static int size_of(const struct cdp_nccl_comm *comm)
{
    return comm->world->size;
}

static int device_of(const struct cdp_nccl_comm *comm)
{
    return (int)comm->device;
}

static int rank_of(const struct cdp_nccl_comm *comm)
{
    return comm->rank;
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int *count)
{
    return answer("ncclCommCount", comm, count, size_of);
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)
{
    return answer("ncclCommCuDevice", comm, device, device_of);
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank)
{
    return answer("ncclCommUserRank", comm, rank, rank_of);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t handle, ncclResult_t *error)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter("ncclCommGetAsyncError", handle, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    ncclResult_t state = comm->was_early ? ncclInvalidArgument : comm->state;
    if (state == ncclSuccess && comm->world != NULL) {
        state = comm->world->error == ncclSuccess && !comm->blocks && cdp_nccl_is_splitting(comm)
                    ? ncclInProgress
                    : comm->world->error;
    }
    (void)cdp_nccl_leave(result);
    if (error == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "there is no place for the result");
    }
    *error = state;
    return ncclSuccess;
}

const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm; /* the calling thread's, as in NCCL's own */
    return cdp_nccl_last();
}

ncclResult_t ncclGetVersion(int *version)
{
    cdp_nccl_call = "ncclGetVersion";
    if (version == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "there is no place for the result");
    }
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

void cdp_nccl_note_early(struct cdp_nccl_comm *comm)
{
    if (comm != NULL && !comm->blocks && comm->state == ncclInProgress) {
        comm->was_early = true;
    }
}

/* ---- The end ---- */

static void end(struct cdp_nccl_comm *comm, const char *how, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (comm->world != NULL && !comm->has_ended) {
        struct cdp_nccl_message message = {
            .kind = CDP_NCCL_LEAVE, .rank = comm->rank, .bytes = strlen(how)};
        comm->has_ended = true;
        cdp_nccl_send_all(comm->world, &message, how);
        cdp_nccl_rank_leaves(comm->world, comm->rank, how, after);
        cdp_nccl_say(CDP_NCCL_INFO, "rank %d of %d %s", comm->rank, comm->world->size, how);
    }
}

ncclResult_t ncclCommFinalize(ncclComm_t handle)
{
    struct cdp_nccl_comm *comm;
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    if (handle == NULL) {
        return ncclSuccess;
    }
    ncclResult_t result = cdp_nccl_enter("ncclCommFinalize", handle, &comm);
    if (result == ncclSuccess) {
        bool is_second = comm->has_ended && comm->world->error == ncclSuccess;
        result = is_second ? cdp_nccl_fail(ncclInvalidArgument, "it was called before")
                           : check_world(comm);
    }
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    bool blocks = comm->blocks;
    end(comm, "was finalized", &after);
    (void)cdp_nccl_leave(result);
    cdp_nccl_do_after(&after);
    cdp_nccl_flush();
    return blocks ? ncclSuccess : ncclInProgress;
}

/* Pending operations still run. */
static ncclResult_t destroy(const char *call, ncclComm_t handle, const char *how, bool aborts)
{
    struct cdp_nccl_comm *comm;
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    if (handle == NULL) {
        return ncclSuccess;
    }
    ncclResult_t result = cdp_nccl_enter(call, handle, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    if (comm->state == ncclInProgress) {
        (void)cdp_nccl_leave(result);
        return cdp_nccl_fail(ncclInvalidUsage, "the initialization is in progress");
    }
    end(comm, how, &after);
    if (aborts && comm->world != NULL) {
        char text[CDP_NCCL_TEXT];
        snprintf(text, sizeof text, "rank %d has aborted the communicator", comm->rank);
        cdp_nccl_world_end(comm->world, ncclRemoteError, text, &after);
    }
    cdp_nccl_comm_forget(comm);
    (void)cdp_nccl_leave(result);
    cdp_nccl_do_after(&after);
    cdp_nccl_flush();
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    return destroy("ncclCommDestroy", comm, "was destroyed", false);
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    return destroy("ncclCommAbort", comm, "was aborted", true);
}

/* ---- Memory: all memory can be used as it is ---- */

ncclResult_t ncclMemAlloc(void **ptr, size_t size)
{
    cdp_nccl_call = "ncclMemAlloc";
    if (ptr == NULL || size == 0) {
        return cdp_nccl_fail(ncclInvalidArgument, "%s",
                             ptr == NULL ? "there is no place for the result" : "the size is 0");
    }
    cudaError_t error = cudaMalloc(ptr, size);
    return error == cudaSuccess ? ncclSuccess : cdp_nccl_cuda(error);
}

ncclResult_t ncclMemFree(void *ptr)
{
    cdp_nccl_call = "ncclMemFree";
    cudaError_t error = cudaFree(ptr);
    return error == cudaSuccess ? ncclSuccess : cdp_nccl_cuda(error);
}

/* The handle is the address. Nothing is stored, because registration makes nothing faster. */
ncclResult_t ncclCommRegister(const ncclComm_t handle, void *buff, size_t size, void **registered)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter_world("ncclCommRegister", handle, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    (void)cdp_nccl_leave(result);
    if (buff == NULL || size == 0 || registered == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "the buffer or the place for the result is NULL, "
                                                  "or the size is 0");
    }
    *registered = buff;
    return ncclSuccess;
}

ncclResult_t ncclCommDeregister(const ncclComm_t handle, void *registered)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter("ncclCommDeregister", handle, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    (void)cdp_nccl_leave(result);
    return registered != NULL ? ncclSuccess
                              : cdp_nccl_fail(ncclInvalidArgument, "the handle is NULL");
}

/* There are no windows, because every rank of a process can access all memory anyway. */
ncclResult_t ncclCommWindowRegister(ncclComm_t handle, void *buff, size_t size,
                                    ncclWindow_t *window, int flags)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter_world("ncclCommWindowRegister", handle, &comm);
    (void)cdp_nccl_leave(result);
    if (result != ncclSuccess) {
        return result;
    }
    if (buff == NULL || size == 0 || window == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "the buffer or the place for the result is NULL, "
                                                  "or the size is 0");
    }
    if ((flags & ~NCCL_WIN_COLL_SYMMETRIC) != 0) {
        return cdp_nccl_fail(ncclInvalidArgument, "%d are no flags", flags);
    }
    *window = NULL;
    return ncclSuccess;
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t handle, ncclWindow_t window)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter_world("ncclCommWindowDeregister", handle, &comm);
    (void)cdp_nccl_leave(result);
    return result != ncclSuccess || window == NULL
               ? result
               : cdp_nccl_fail(ncclInvalidArgument, "%p is no window", (void *)window);
}
