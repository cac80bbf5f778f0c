/* The operations of reductions that are atomic for each element. */
#ifndef CDPCC_PTX_REDUCE_H
#define CDPCC_PTX_REDUCE_H
#include "ptx/library/library.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* One class for each group of operations that forms.def lists with its types. The numbers are those
 * of the words there. */
struct sum {
    template <class T> MEMBER void operator()(T *to, T value) const
    {
        atomicAdd(to, value);
    }
    /* A sum of unsigned numbers has the same bits. */
    MEMBER void operator()(s64 *to, s64 value) const
    {
        atomicAdd((u64 *)to, (u64)value);
    }
};

struct extreme {
    u32 operation;
    enum { MIN = 1, MAX };

    template <class T> MEMBER void operator()(T *to, T value) const
    {
        if (operation == MIN) {
            atomicMin(to, value);
        } else {
            atomicMax(to, value);
        }
    }
    MEMBER void operator()(__half *to, __half value) const
    {
        replace(to, value);
    }
    MEMBER void operator()(__nv_bfloat16 *to, __nv_bfloat16 value) const
    {
        replace(to, value);
    }

  private:
    template <class T> MEMBER void replace(T *to, T value) const
    {
        u16 *const bits = (u16 *)to;
        u16 old = *(volatile u16 *)bits, before;
        do {
            before = old;
            const T now = __builtin_bit_cast(T, before);
            const T next = operation == MIN ? __hmin(now, value) : __hmax(now, value);
            old = atomicCAS(bits, before, __builtin_bit_cast(u16, next));
        } while (old != before);
    }
};

struct step {
    u32 operation;
    enum { INC = 1, DEC };

    MEMBER void operator()(u32 *to, u32 most) const
    {
        if (operation == INC) {
            atomicInc(to, most);
        } else {
            atomicDec(to, most);
        }
    }
};

struct logic {
    u32 operation;
    enum { AND = 1, OR, XOR };

    template <class T> MEMBER void operator()(T *to, T value) const
    {
        if (operation == AND) {
            atomicAnd(to, value);
        } else if (operation == OR) {
            atomicOr(to, value);
        } else {
            atomicXor(to, value);
        }
    }
};

#endif
