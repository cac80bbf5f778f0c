/* Groups of calls: what a thread has collected since ncclGroupStart. A call outside of a group is a
 * group of its own. */
#ifndef CDP_API_NCCL_GROUP_H
#define CDP_API_NCCL_GROUP_H

#include "api/nccl/round.h"
#include "os/network.h"

/* A communicator whose initialization a group has collected (init.c). */
struct cdp_nccl_meeting {
    struct cdp_nccl_meeting *next;
    struct cdp_nccl_comm *comm; /* counted */
    bool is_split;
    bool blocks;       /* the call waits: of a split, if the parent blocks */
    ncclComm_t parent; /* of a split */
    uint64_t id;       /* of no split: as are the following */
    struct cdp_os_address root;
    int size;
};

/* Adds an op of the calling thread, which the group frees; without a group its work starts now.
 * like: its communicator and its stream. */
ncclResult_t cdp_nccl_group_op(const struct cdp_nccl_batch *like, const struct cdp_nccl_op *op);
/* The same for a communicator that is to be made. */
ncclResult_t cdp_nccl_group_meeting(const struct cdp_nccl_meeting *meeting);
/* A call of the group was wrong: its end returns the error. Returns it, too. */
ncclResult_t cdp_nccl_group_error(ncclResult_t error);

/* Starts all of the meetings, then waits for those that block, and frees the list (init.c). With an
 * error of the group it only ends them. */
ncclResult_t cdp_nccl_meet(struct cdp_nccl_meeting *first, ncclResult_t error);

#endif
