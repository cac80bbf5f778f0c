/* What would change it: for each reason why a kernel stays on thread entries, what its
 * author could do.  Reasons are told from each other by how they begin. */
#include "simd/remarks.h"

#include "support/str.h"

static const struct {
    const char *reason, *advice;
} table[] = {
    {"it has a volatile access",
     "let threads exchange values across a barrier or by atomic operations instead"},
    {"it has inline assembly", "use CUDA's function for it"},
    {"it calls through a pointer",
     "call the function by name, or make it a parameter of a template"},
    {"it calls a function of another unit", "define the function in this unit"},
    {"it calls a function that", "let the function be inlined: no __noinline__, no recursion"},
    {"it calls a recursive function", "use a loop, or launch children"},
    {"it calls cudaDeviceSynchronize",
     "put what follows into a child behind the others in the stream, or into a tail launch"},
    {"it calls ", "make the call in a kernel of its own"},
    {"it has values of a type", "use scalars of at most 64 bits"},
    {"it has local memory of variable size", "give local arrays a constant size"},
    {"its threads have too much local memory", "use smaller local arrays"},
    {"values across barriers take too much of the stack", "keep fewer of them, or smaller blocks"},
    {"it has a loop without an end", "give it a condition that changes as it runs"},
    {"it has a loop with two beginnings", "do not jump into the loop"},
    {"a loop in it waits",
     "let no condition in the loop depend on an atomic operation's result, or put the loop into "
     "a kernel of its own"},
    {"a barrier stands within a loop", "leave the loop in one place, all threads at once"},
    {"threads may part here",
     "move the barrier out of the branch, or let the whole block take the same branch"},
    {"threads of a warp may part", "move the operation to where all threads of the warp come"},
    {"the mask of", "name all threads of the warp, or move the operation out of the branch"},
    {"it is too large", "split the kernel"},
};

const char *simd_advice(const char *reason)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (str_starts(reason, table[i].reason)) {
            return table[i].advice;
        }
    }
    return NULL;
}
