/* What multiprocessors of each compute capability have, as far as a cudaOccDeviceProp does not say
 * it: the Programming Guide's table of technical specifications. Included by cuda_occupancy.h. */
#ifndef __CDP_OCCUPANCY_SPECIFICATION_H
#define __CDP_OCCUPANCY_SPECIFICATION_H

enum {
    __CDP_OCC_REGISTERS_UNIT = 256, /* registers are given to a warp in units of */
    __CDP_OCC_VIRTUAL = 128         /* virtual resources from compute capability 10 on */
};

struct __cdp_occ_specification {
    int __major, __minor; /* minor -1: all that no row before has */
    int __blocks;         /* resident blocks */
    int __schedulers;     /* the parts that divide the registers among them */
    int __shared_unit;    /* shared memory is given to a block in units of */
    int __barriers;       /* 0: not counted */
    int __sizes[11];      /* configurable sizes of shared memory in KiB, ascending; empty: one */
};

#define __CDP_OCC_SIZES_100 {0, 8, 16, 32, 64, 100}
#define __CDP_OCC_SIZES_164 {0, 8, 16, 32, 64, 100, 132, 164}
#define __CDP_OCC_SIZES_228 {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}

/* Returns whether the compute capability is known; then copies its row to *__found. */
static __CDP_OCC int __cdp_occ_specification_of(struct __cdp_occ_specification *__found,
                                                const cudaOccDeviceProp *__device)
{
    const struct __cdp_occ_specification __rows[] = {
        {3, 7, 16, 4, 256, 0, {80, 96, 112}},
        {3, -1, 16, 4, 256, 0, {16, 32, 48}},
        {5, -1, 32, 4, 256, 0, {0}},
        {6, 0, 32, 2, 256, 0, {0}},
        {6, -1, 32, 4, 256, 0, {0}},
        {7, 5, 16, 4, 256, 0, {32, 64}},
        {7, -1, 32, 4, 256, 0, {0, 8, 16, 32, 64, 96}},
        {8, 0, 32, 4, 128, 0, __CDP_OCC_SIZES_164},
        {8, 7, 16, 4, 128, 0, __CDP_OCC_SIZES_164},
        {8, 9, 24, 4, 128, 0, __CDP_OCC_SIZES_100},
        {8, -1, 16, 4, 128, 0, __CDP_OCC_SIZES_100},
        {9, -1, 32, 4, 128, 64, __CDP_OCC_SIZES_228},
        {10, -1, 32, 4, 128, 64, __CDP_OCC_SIZES_228},
        {11, -1, 24, 4, 128, 24, __CDP_OCC_SIZES_228},
        {12, -1, 24, 4, 128, 24, __CDP_OCC_SIZES_100},
    };
    for (unsigned __i = 0; __i < sizeof __rows / sizeof *__rows; __i++) {
        if (__rows[__i].__major == __device->computeMajor &&
            (__rows[__i].__minor < 0 || __rows[__i].__minor == __device->computeMinor)) {
            *__found = __rows[__i];
            return 1;
        }
    }
    return 0;
}

static __CDP_OCC size_t __cdp_occ_round_up(size_t __value, size_t __unit)
{
    return (__value + __unit - 1) / __unit * __unit;
}
static __CDP_OCC int __cdp_occ_min(int __a, int __b)
{
    return __a < __b ? __a : __b;
}

/* The least configuration of shared memory that has this many bytes; 0 if there is none. */
static __CDP_OCC size_t __cdp_occ_configuration(const struct __cdp_occ_specification *__chip,
                                                size_t __bytes)
{
    for (unsigned __i = 0; __i < sizeof __chip->__sizes / sizeof *__chip->__sizes; __i++) {
        size_t __size = (size_t)__chip->__sizes[__i] * 1024;
        if (__size >= __bytes && (__size != 0 || __i == 0)) {
            return __size;
        }
    }
    return 0;
}

/* The shared memory that the program prefers: a percentage from compute capability 7 on, else what
 * the cache leaves over. */
static __CDP_OCC size_t __cdp_occ_preferred(const struct __cdp_occ_specification *__chip,
                                            const cudaOccDeviceProp *__device,
                                            const cudaOccDeviceState *__state)
{
    size_t __most = __device->sharedMemPerMultiprocessor;
    if (__chip->__sizes[1] == 0) {
        return __most;
    }
    cudaOccCacheConfig __cache = __state->cacheConfig;
    if (__device->computeMajor < 7) {
        int __size = __cache == CACHE_PREFER_L1 ? 0 : __cache == CACHE_PREFER_EQUAL ? 1 : 2;
        return (size_t)__chip->__sizes[__size] * 1024;
    }
    int __percent = __state->carveoutConfig != SHAREDMEM_CARVEOUT_DEFAULT ? __state->carveoutConfig
                    : __cache == CACHE_PREFER_L1                          ? 0
                    : __cache == CACHE_PREFER_EQUAL                       ? 50
                                                                          : 100;
    return __cdp_occ_configuration(__chip, __most * (size_t)__percent / 100);
}

#endif
