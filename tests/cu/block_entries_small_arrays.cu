// cdpcc: --entry=block -O2
// Local arrays of few elements by indices that differ between threads, and variables whose addresses
// are chosen: they become values. The host runs the same functions.
#include <stdio.h>
#include <string.h>

enum { N = 700, BLOCK = 96, GRID = (N + BLOCK - 1) / BLOCK, STEPS = 24 };
#define BOTH __host__ __device__

BOTH inline unsigned next(unsigned &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    return s ^= s << 5;
}
template <class T, int COUNT> BOTH unsigned counters(unsigned s)
{
    T count[COUNT] = {};
    for (int i = 0; i < STEPS; i++) {
        count[next(s) % COUNT] += (T)(i + 1);
    }
    unsigned sum = 0;
    for (int i = 0; i < COUNT; i++) {
        sum = sum * 3 + (unsigned)count[i];
    }
    return sum;
}
/* The loop ends early, and its counter is an index afterwards. */
template <class T, int COUNT> BOTH unsigned least(unsigned s)
{
    T list[COUNT];
    for (int i = 0; i < COUNT; i++) {
        list[i] = (T)30000;
    }
    for (int i = 0; i < STEPS; i++) {
        T value = (T)(next(s) & 16383);
        if (value < list[COUNT - 1]) {
            int j = COUNT - 1;
            while (j > 0 && list[j - 1] > value) {
                list[j] = list[j - 1];
                j--;
            }
            list[j] = value;
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < COUNT; i++) {
        sum = sum * 5 + (unsigned)list[i];
    }
    return sum;
}
BOTH unsigned stack(unsigned s)
{
    unsigned top = 0, sum = 0, entries[6];
    for (int i = 0; i < STEPS; i++) {
        unsigned what = next(s);
        if ((what & 1) != 0 && top < 6) {
            entries[top++] = what;
        } else if (top > 0) {
            sum = sum * 7 + entries[--top];
        }
        if (what % 29 == 0) {
            return sum; /* some threads leave the loop */
        }
    }
    while (top > 0) {
        sum = sum * 3 + entries[--top];
    }
    return sum;
}
struct Pair {
    int a;
    float b;
};
/* Structures, and an array of two dimensions. */
BOTH unsigned structures(unsigned s)
{
    Pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
    short table[2][3] = {{1, 2, 3}, {-4, -5, -6}};
    for (int i = 0; i < STEPS; i++) {
        unsigned k = next(s) % 3;
        pairs[k].a += table[k & 1][next(s) % 3];
        pairs[2 - k].b += (float)(pairs[k].a & 255);
        table[next(s) & 1][k] = (short)i;
        if ((next(s) & 7) == 0) {
            pairs[next(s) % 3] = pairs[k];
        }
    }
    return (unsigned)(pairs[0].a + 3 * pairs[1].a + 5 * pairs[2].a) +
           (unsigned)(pairs[0].b + 7 * pairs[1].b + 11 * pairs[2].b) + (unsigned)table[1][next(s) % 3];
}
/* The address is that of one of several variables. */
BOTH unsigned chosen(unsigned s)
{
    int few = 0, many = 100, most = 1000;
    for (int i = 0; i < STEPS; i++) {
        unsigned what = next(s) % 5;
        int &one = what == 0 ? few : what < 3 ? many : most;
        one += i;
        int *other = &few;
        if (next(s) & 1) {
            other = &most;
            if (next(s) & 1) {
                other = &many;
            }
        }
        *other = *other * 3 + one;
    }
    return (unsigned)(few + 3 * many + 5 * most);
}
/* A pointer that moves through an array by steps of data, and swaps. */
BOTH unsigned moves(unsigned s)
{
    int a[4] = {1, 2, 3, 4}, *at = a;
    for (int i = 0; i < STEPS; i++) {
        at = next(s) & 1 ? a + (next(s) & 3) : at;
        *at += i;
        int &x = a[next(s) & 3], &y = a[next(s) & 3], old = x;
        x = y;
        y = old;
    }
    return (unsigned)(a[0] + 3 * a[1] + 5 * a[2] + 7 * a[3] + *at);
}
/* A permutation of bytes, a small queue of 64-bit numbers, and an array of addresses. */
BOTH unsigned others(unsigned s, const unsigned *numbers)
{
    unsigned char order[4] = {0, 1, 2, 3};
    unsigned long long queue[4];
    const unsigned *from[2] = {numbers, numbers + 5};
    memset(queue, 0, sizeof queue);
    unsigned sum = 0;
    for (int i = 0; i < STEPS; i++) {
        unsigned k = next(s) & 3;
        unsigned char old = order[k];
        order[k] = order[i & 3];
        order[i & 3] = old;
        queue[order[k]] = queue[k] * 31 + next(s);
        from[k & 1] = from[next(s) & 1] + (k == 3);
        sum += from[k >> 1][k];
        from[next(s) & 1] = numbers + k;
    }
    return sum + (unsigned)(queue[sum & 3] >> 7) + order[sum & 3];
}
/* An array that is filled again in a loop, and one that is only partly set. */
BOTH unsigned filled(unsigned s)
{
    unsigned sum = 0;
    for (int i = 0; i < 5; i++) {
        int fresh[4] = {i}, part[4];
        unsigned k = next(s) & 3;
        part[k] = (int)next(s);
        for (int j = (int)(next(s) & 7); j > 0; j--) {
            fresh[next(s) & 3] += part[k] + j;
        }
        if (next(s) & 1) {
            memset(fresh, 1, sizeof fresh);
            fresh[k]--;
        }
        sum = sum * 3 + (unsigned)(fresh[0] ^ fresh[k] ^ fresh[3]);
    }
    return sum;
}

/* A counter that is an index in few of its iterations: the loop is not unrolled. */
BOTH unsigned sampled(unsigned s)
{
    unsigned kept[4];
    for (int i = 0; i < 300; i++) {
        next(s);
        if (i < 4) {
            kept[i] = s;
        } else {
            unsigned j = s % (unsigned)(i + 1);
            if (j < 4) {
                kept[j] = s;
            }
        }
    }
    return kept[0] + 3 * kept[1] + 5 * kept[2] + 7 * kept[3];
}

/* Offsets in bytes, which need not be multiples of an element. */
BOTH inline int *at_byte(int *a, unsigned offset)
{
    return (int *)__builtin_assume_aligned((char *)a + offset, 4);
}
BOTH unsigned bytes(unsigned s)
{
    int a[4] = {1, 2, 3, 4};
    for (int i = 0; i < STEPS; i++) {
        *at_byte(a, next(s) & 12) += *at_byte(a, next(s) & 12) * 3 + i;
    }
    return (unsigned)(a[0] + 3 * a[1] + 5 * a[2] + 7 * a[3]);
}

template <int WHICH> BOTH unsigned all(unsigned s, const unsigned *numbers)
{
    switch (WHICH) {
    case 0: return counters<int, 8>(s);
    case 1: return counters<float, 3>(s) + counters<double, 4>(s);
    case 2: return counters<unsigned char, 4>(s) + counters<long long, 2>(s);
    case 3: return least<int, 4>(s);
    case 4: return least<short, 5>(s) + least<double, 2>(s);
    case 5: return stack(s);
    case 6: return structures(s);
    case 7: return chosen(s);
    case 8: return moves(s);
    case 9: return others(s, numbers);
    case 10: return sampled(s);
    case 11: return bytes(s);
    default: return filled(s);
    }
}
template <int WHICH> __global__ void kernel(const unsigned *seeds, const unsigned *numbers, unsigned *out)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < N) {
        out[i] = all<WHICH>(seeds[i], numbers);
    }
}
/* The elements live across barriers. */
__global__ void around_barriers(const unsigned *seeds, unsigned *out)
{
    __shared__ unsigned shared[BLOCK];
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned s = seeds[i % N], count[4] = {};
    for (int round = 0; round < 3; round++) {
        unsigned k = next(s) & 3;
        count[k] += s & 15;
        shared[threadIdx.x] = count[s & 3];
        __syncthreads();
        count[shared[(threadIdx.x + 1) % BLOCK] & 3]++;
        __syncthreads();
    }
    if (i < N) {
        out[i] = count[0] + 3 * count[1] + 5 * count[2] + 7 * count[3];
    }
}
static unsigned seeds[N], expected[GRID * BLOCK], *from, *to, wrong;

static void compare(const char *what, int which)
{
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        if (to[i] != expected[i] && wrong++ < 10) {
            printf("%s %d: element %d is %u instead of %u\n", what, which, i, to[i], expected[i]);
        }
    }
}
template <int WHICH> static void check()
{
    for (int i = 0; i < N; i++) {
        expected[i] = all<WHICH>(seeds[i], seeds);
    }
    memset(to, 0, N * sizeof *to);
    kernel<WHICH><<<GRID, BLOCK>>>(from, from, to);
    compare("kernel", WHICH);
}
static void check_barriers()
{
    static unsigned count[GRID * BLOCK][4], s[GRID * BLOCK], shared[GRID * BLOCK];
    for (int i = 0; i < GRID * BLOCK; i++) {
        s[i] = seeds[i % N];
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < GRID * BLOCK; i++) {
            unsigned k = next(s[i]) & 3;
            count[i][k] += s[i] & 15;
            shared[i] = count[i][s[i] & 3];
        }
        for (int i = 0; i < GRID * BLOCK; i++) {
            count[i][shared[i / BLOCK * BLOCK + (i + 1) % BLOCK] & 3]++;
        }
    }
    for (int i = 0; i < N; i++) {
        expected[i] = count[i][0] + 3 * count[i][1] + 5 * count[i][2] + 7 * count[i][3];
    }
    memset(to, 0, N * sizeof *to);
    around_barriers<<<GRID, BLOCK>>>(from, to);
    compare("around barriers", 0);
}
int main()
{
    unsigned s = 12345;
    for (int i = 0; i < N; i++) {
        seeds[i] = next(s);
    }
    cudaMallocManaged(&from, sizeof seeds);
    cudaMallocManaged(&to, sizeof seeds);
    memcpy(from, seeds, sizeof seeds);
    check<0>();
    check<1>();
    check<2>();
    check<3>();
    check<4>();
    check<5>();
    check<6>();
    check<7>();
    check<8>();
    check<9>();
    check<10>();
    check<11>();
    check<12>();
    check_barriers();
    puts(wrong == 0 ? "the same" : "different");
}
