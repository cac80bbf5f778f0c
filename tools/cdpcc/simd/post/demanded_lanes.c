/* Demanded lanes: on which lanes of a loaded vector any result depends.  The last steps of a tree
 * reduction add vectors of which fewer and fewer lanes are used.
 *
 *     %c = load <16 x float>, ...              only lanes 0 to 7 are demanded,
 *     %d = fadd <16 x float> %a, %c            since the store below has 8 active lanes
 *     store %d under the mask 11111111 00000000
 *
 * LLVM has the same analysis for instcombine (demanded elements), but it does not know which lanes
 * of shared memory's stores count. The search follows at most MOST_STEPS operations and MOST_USES
 * uses of each; beyond these, all lanes are demanded. */
#include "ir/value.h"
#include "simd/post/shared_memory.h"
#include "support/str.h"

#include <string.h>

enum { MOST_STEPS = 6, MOST_USES = 8 };

static bool is_lanewise_call(LLVMValueRef call)
{
    static const char *const names[] = {
        "llvm.fma.",  "llvm.fmuladd.",    "llvm.smax.",       "llvm.smin.", "llvm.umax.",
        "llvm.umin.", "llvm.minimumnum.", "llvm.maximumnum.", "llvm.fabs.", NULL};
    LLVMValueRef callee = lower_callee(call);
    return callee != NULL && str_starts_any(lower_name(callee), names);
}

/* The instruction works lane by lane, and no lane's value can trap, as a divisor could. */
static bool is_lanewise(LLVMValueRef at)
{
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFNeg:
    case LLVMICmp:
    case LLVMFCmp:
        return true;
    case LLVMSelect:
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 0))) == LLVMVectorTypeKind;
    case LLVMCall:
        return is_lanewise_call(at);
    default:
        return false;
    }
}

static void add_lanes(const struct shared_area *area, LLVMValueRef value, unsigned lanes,
                      unsigned steps, bool *needed);

static void add_use(const struct shared_area *area, LLVMValueRef value, LLVMValueRef user,
                    unsigned lanes, unsigned steps, bool *needed)
{
    struct shared_access access = shared_access_of(area, user);
    LLVMValueRef index = LLVMIsAExtractElementInst(user) != NULL ? LLVMGetOperand(user, 1) : NULL;
    bool is_lane = index != NULL && LLVMIsAConstantInt(index) != NULL &&
                   LLVMConstIntGetZExtValue(index) < lanes;
    if (access.kind == SHARED_STORE && access.value == value && access.lanes == lanes) {
        for (unsigned i = 0; i < lanes; i++) {
            needed[i] |= access.on[i];
        }
    } else if (is_lane) {
        needed[LLVMConstIntGetZExtValue(index)] = true;
    } else if (is_lanewise(user)) {
        add_lanes(area, user, lanes, steps + 1, needed);
    } else {
        memset(needed, true, lanes);
    }
}

static void add_lanes(const struct shared_area *area, LLVMValueRef value, unsigned lanes,
                      unsigned steps, bool *needed)
{
    unsigned uses = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        if (steps == MOST_STEPS || ++uses > MOST_USES) {
            memset(needed, true, lanes);
            return;
        }
        add_use(area, value, LLVMGetUser(use), lanes, steps, needed);
    }
}

void shared_needed(const struct shared_area *area, const struct shared_access *load, bool *needed)
{
    memset(needed, load->lanes == 1, load->lanes);
    if (load->lanes > 1) {
        add_lanes(area, load->instruction, load->lanes, 0, needed);
    }
}
