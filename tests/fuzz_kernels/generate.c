/* Writes a program of random kernels:
 *
 *   generate [-x FORM]... FIRST COUNT [WITHOUT]   >program.cu
 *
 * FIRST is the number of the first kernel; WITHOUT, for one kernel, a list of the numbers of
 * statements to leave out, with commas between. -x excludes a form of forms.c from all kernels.
 *
 * The kernels have no races and no undefined arithmetic, so their results must not depend on the
 * entry that runs them. They contain: branches and loops on uniform and on varying values, nested,
 * with breaks, continues, switches and early returns; barriers at the top level, in uniform loops
 * and in uniform branches; static and dynamic shared memory, atomics; integers of all widths, float
 * and double; indices that wrap around; local arrays, structs, pointers, calls.
 *
 * The program launches each kernel with blocks of many shapes and prints a hash of its results for
 * each. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void variables(void)
{
    line("unsigned n0 = p0, n1 = p1, n2 = table[p2 & 255] & 15;");
    line("unsigned q0 = p0 + 1, q1 = p1 * 3, q2 = 5;");
    line("bool b0 = t & 1, b1 = false;");
    for (enum type type = 0; type < TYPES; type++) {
        for (unsigned i = 0; has_type[type] && i < 2; i++) {
            line("%s %c%u = (%s)(table[(gid * %u + %u) & 255] & 0x%xu);", type_names[type],
                 type_letters[type], i, type_names[type], 1 + below(7), below(200),
                 is_real(type) ? 0xffu : 0xffffffffu);
        }
    }
    line("int a[8];");
    line("Node local[2] = {{1, 2, 3}, {4, 5, 6}};");
    line("for (int k = 0; k < 8; ++k) a[k] = k * (int)t;");
}

static void results(void)
{
    line("out[gid * 4] = u0 ^ (u1 * 3) ^ (unsigned)i0 ^ (unsigned)(i1 * 5u) ^ (b0 ? 64 : 0) ^ (b1 "
         "? 128 : 0);");
    for (enum type type = LONG; type < TYPES; type++) {
        if (!has_type[type]) {
            continue;
        }
        char c = type_letters[type];
        if (is_real(type)) {
            line("out[gid * 4 + %d] += bits(%c0) ^ (bits(%c1) * 3);", 2 + (type == DOUBLE), c, c);
        } else {
            line("out[gid * 4 + 1] += (unsigned)(%c0 ^ (%c1 * 7u) ^ ((unsigned long long)%c0 >> "
                 "32));",
                 c, c, c);
        }
    }
    line("out[gid * 4 + 3] += (unsigned)a[t & 7] ^ q0 ^ (q1 << 8) ^ (unsigned)local[1].half;");
}

static void threads(void)
{
    if (is_line) {
        line("unsigned nt = blockDim.x, t = threadIdx.x;");
        line("%s gid = blockIdx.x * blockDim.x + threadIdx.x;",
             ONE_OF("int", "unsigned", "size_t", "long long"));
        return;
    }
    line("unsigned nt = blockDim.x * blockDim.y * blockDim.z;");
    line("%s", ONE_OF("unsigned t = threadIdx.x; if (blockDim.y > 1) t += blockDim.x * "
                      "(threadIdx.y + blockDim.y * threadIdx.z);",
                      "unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * "
                      "threadIdx.z);"));
    line("%s", ONE_OF("unsigned gid = blockIdx.x * nt + t;", "int gid = blockIdx.x * nt + t;",
                      "size_t gid = (size_t)blockIdx.x * nt + t;"));
}

static struct profile choose_profile(void)
{
    struct profile profile = {.is_flat = chance(30), .most_depth = 2 + below(10) / 4};
    is_line = chance(50);
    profile.is_straight = !profile.is_flat && chance(20);
    profile.prints = chance(4);
    profile.launches = chance(5);
    profile.warps = chance(20);
    profile.counts = chance(12);
    has_type[INT] = has_type[UNSIGNED] = has_type[LONG] = true;
    for (enum type type = ULONG; type < TYPES; type++) {
        has_type[type] = chance(30);
    }
    return profile;
}

static void kernel(unsigned number, const bool *without)
{
    start_choices(number);
    printf("__global__ %svoid k%u(unsigned p0, unsigned p1, unsigned p2, Pair pair, const unsigned "
           "%stable,\n    const unsigned %sbig, const unsigned *tail, unsigned wrap, unsigned "
           "high, const Node *nodes,\n    Node *mine, uchar *row, unsigned %sout, unsigned *own, "
           "unsigned *tally, unsigned *lattice, unsigned limit)\n{\n",
           chance(20) ? "__launch_bounds__(1024) " : "", number, ONE_OF("*", "*", "*__restrict__ "),
           ONE_OF("*", "*", "*__restrict__ "), ONE_OF("*", "*", "*__restrict__ "));
    indent = 1;
    struct profile profile = choose_profile();
    line("__shared__ unsigned s[1024], h[16], hmax[16], hxor[16], hmin[16];");
    line("__shared__ unsigned tile[33][33];");
    line("extern __shared__ unsigned dyn[];");
    threads();
    poll();
    bool is_guarded = chance(30);
    if (is_guarded && profile.is_flat) {
        line("if (gid >= limit) return;");
    }
    variables();
    line("u0 ^= polled;");
    if (!profile.is_flat) {
        line("s[t] = t;");
        line("for (unsigned k = t; k < 2 * nt + 2; k += nt) dyn[k] = k * 3;");
        line("for (unsigned k = t; k < 33 * 33; k += nt) tile[k / 33][k %% 33] = k;");
        line("for (unsigned k = t; k < 16; k += nt) h[k] = k, hmax[k] = hxor[k] = 0, hmin[k] = "
             "~0u;");
        line("__syncthreads();");
        line("%s", is_guarded ? "if (gid >= limit) return;" : "");
    }
    unsigned count = chance(70) ? 2 + below(3) : 4 + below(5);
    body(&profile, count, without);
    results();
    printf("}\n");
}

static const char prologue[] =
    "#include <cassert>\n"
    "#include <cmath>\n"
    "#include <cstdio>\n"
    "#include <cstring>\n"
    "#include <cuda_bf16.h>\n"
    "typedef unsigned char uchar;\n"
    "struct Pair { int a; float b[4]; };\n"
    "struct Four { unsigned a, b, c, d; };\n"
    "struct Twin { unsigned long long a, b; };\n"
    "struct Node { int key; uchar tag; short half; double weight; unsigned long long link; const "
    "Node *next; };\n"
    "__global__ void child(unsigned *tally, unsigned x) { atomicAdd(&tally[x & 7], x + "
    "threadIdx.x); }\n"
    "__device__ inline unsigned mix(unsigned x, unsigned y) { return (x ^ y * 2654435761u) + (y >> "
    "3); }\n"
    "__device__ __noinline__ unsigned call(unsigned x, int y) { return (x & 1 ? x * 3 : x / 3) + y "
    "+ threadIdx.x; }\n"
    "__device__ inline int inlined(int x, int y) { int sum = 0; for (int i = x & 3; i < 6; ++i) { "
    "if ((i ^ y) % 5 == 2) continue; sum += i * y - x; if (sum > 900) return sum; } return sum - "
    "1; }\n"
    "__device__ __noinline__ long long wide(unsigned long long x, unsigned y) { return (long "
    "long)(x * 0x9e3779b97f4a7c15ull >> 17) + y * blockIdx.x; }\n"
    "__device__ __noinline__ unsigned sum_of(const int *a, unsigned n) { unsigned sum = "
    "threadIdx.x; for (unsigned i = 0; i < n; ++i) sum += a[i]; return sum; }\n"
    "struct Spread { int a, b, c[5]; };\n"
    "__device__ __noinline__ unsigned power(unsigned x, unsigned n) { if (n == 0) return 1; "
    "unsigned half = power(x, n / 2); return n & 1 ? half * half * x : half * half + "
    "threadIdx.x; }\n"
    "__device__ __noinline__ unsigned halves(unsigned low, unsigned high, unsigned by) { if (high "
    "- "
    "low < 3) return low * by + high; unsigned middle = (low + high) / 2; return halves(low, "
    "middle, by) * 3 ^ halves(middle + 1, high, by + 1); }\n"
    "__device__ __noinline__ int find(const Node *nodes, int at, int key) { if (nodes[at].key > "
    "key "
    "|| nodes[at].next == nullptr) return at - key; return find(nodes, (int)(nodes[at].next - "
    "nodes), key + 3) * 2 + nodes[at].half; }\n"
    "__device__ __noinline__ unsigned early(unsigned x, unsigned n, bool odd) { if (odd && n % 3 "
    "== "
    "0) return x; for (unsigned i = 0; i < (n & 15); ++i) { if ((x ^ i) % 7 == 2) return i + x; x "
    "= x * 5 + call(x, i); if (x % 11 == 4) break; } return x ^ n; }\n"
    "__device__ __noinline__ void store(unsigned *to, int *a, unsigned n) { *to ^= a[n]; a[(n + 3) "
    "& "
    "7] += *to & 1 ? n : 2; }\n"
    "__device__ __noinline__ Spread spread(Spread s, int n) { s.c[n] ^= s.a; if (n == 0) return s; "
    "s.b += s.c[n] * n; Spread r = spread(s, n - 1); r.b ^= s.c[(r.b & 3) + 1]; return r; }\n"
    "__device__ inline void shift(int *a, unsigned n) { for (unsigned i = 0; i + n < 8; ++i) a[i] "
    "= a[i + n]; }\n"
    "__device__ inline float foldf(float x) { return fabsf(x) < 1e6f ? x : 1.25f; }\n"
    "__device__ inline double fold(double x) { return fabs(x) < 1e6 ? x : 1.25; }\n"
    "__device__ inline int clip(double x) { return fabs(x) < 1e6 ? (int)x : 7; }\n"
    "__device__ inline unsigned bits(float x) { return __float_as_uint(x); }\n"
    "__device__ inline unsigned bits(double x) { long long b = __double_as_longlong(x); return "
    "(unsigned)(b ^ (b >> 32)); }\n";

static const char epilogue[] =
    "static unsigned table[256], big[4096], out[3 * 1024 * 4], own[69 * 3 * 1024], tally[128], "
    "lattice[9000];\n"
    "static Node nodes[64], mine[3 * 1024];\n"
    "static uchar row[13 * 3 * 1024];\n"
    "static unsigned hash_of(const void *data, size_t size)\n{\n"
    "    unsigned hash = 2166136261u;\n"
    "    for (size_t i = 0; i < size; ++i) hash = (hash ^ ((const uchar *)data)[i]) * 16777619u;\n"
    "    return hash;\n}\n"
    "static void clear()\n{\n"
    "    memset(out, 0, sizeof out); memset(lattice, 0, sizeof lattice); memset(tally, 0, sizeof "
    "tally); memset(mine, 0, sizeof "
    "mine);\n"
    "    memset(row, 0, sizeof row);\n"
    "    cudaMemcpyToSymbol(flags, row, 64 * sizeof(unsigned));\n"
    "    for (unsigned i = 0; i < sizeof own / sizeof *own; ++i) own[i] = i * 77 & 7;\n}\n"
    "static void show(unsigned kernel, unsigned shape)\n{\n"
    "    cudaError_t error = cudaDeviceSynchronize();\n"
    "    for (Node &node : mine) node.next = (Node *)(size_t)(node.next != nullptr);\n"
    "    printf(\"k%u shape %u: %08x %08x %08x %08x %08x %08x, error %d\\n\", kernel, shape,\n"
    "           hash_of(out, sizeof out), hash_of(own, sizeof own), hash_of(tally, sizeof tally),\n"
    "           hash_of(mine, sizeof mine), hash_of(row, sizeof row), hash_of(lattice, sizeof "
    "lattice), (int)error);\n"
    "    clear();\n}\n"
    "int main()\n{\n"
    "    const dim3 shapes[] = {1, 3, 7, 32, 33, 64, 100, 128, 256, 512, 513, dim3(16, 4), "
    "dim3(8, 8), dim3(32, 3), dim3(5, 7), dim3(16, 2, 3), dim3(64, 2, 2), "
    "dim3(18, 18), dim3(20, 7), dim3(12, 3, 2), dim3(33, 9)};\n"
    "    Pair pair = {3, {1, 2, 3, 4}};\n"
    "    setvbuf(stdout, nullptr, _IOLBF, 0);\n"
    "    for (unsigned i = 0; i < 256; ++i) table[i] = i * 2654435761u >> 5;\n"
    "    for (unsigned i = 0; i < 4096; ++i) big[i] = (i + 9) * 2246822519u >> 3;\n"
    "    for (int i = 0; i < 64; ++i) {\n"
    "        Node &node = nodes[i]; // field by field: padding stays zero\n"
    "        node.key = i * 7; node.tag = i * 9; node.half = i - 30; node.weight = i * 0.5;\n"
    "        node.link = i * 99ull << 30; node.next = i % 5 ? &nodes[i * 5 / 6] : nullptr;\n"
    "    }\n"
    "    clear();\n"
    "    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; ++k) {\n"
    "        for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; ++i) {\n"
    "            if (kernels[k].is_line && shapes[i].y * shapes[i].z > 1) continue;\n"
    "            unsigned wrap = -(kernels[k].number * 5 % 90), high = 0x80000000u - "
    "kernels[k].number * 3 % 90;\n"
    "            unsigned threads = shapes[i].x * shapes[i].y * shapes[i].z;\n"
    "            unsigned grid = threads <= 128 ? 24 : 3; // many: one call runs several blocks\n"
    "            kernels[k].run<<<grid, shapes[i], 8192>>>(kernels[k].number % 8, "
    "kernels[k].number / "
    "8 % 50, i, pair, table, big, big + 2048, wrap, high, nodes, mine, row, out, own, tally, "
    "lattice, threads * grid - kernels[k].number % 40);\n"
    "            show(kernels[k].number, i);\n"
    "        }\n"
    "        unsigned wrong, none = 0;\n"
    "        cudaMemcpyFromSymbol(&wrong, differences, sizeof wrong);\n"
    "        cudaMemcpyToSymbol(differences, &none, sizeof none);\n"
    "        if (wrong != 0) printf(\"k%u shape any: %u numbers are not what they must be\\n\", "
    "kernels[k].number, wrong);\n"
    "    }\n}\n";

static void program(unsigned first, unsigned count, const bool *are_lines)
{
    printf("static const struct { unsigned number; bool is_line; decltype(&k%u) run; } kernels[] "
           "= {",
           first);
    for (unsigned i = 0; i < count; i++) {
        printf("{%u, %d, k%u}, ", first + i, are_lines[i], first + i);
    }
    printf("};\n%s", epilogue);
}

int main(int argc, char **argv)
{
    static bool without[MOST_STATEMENTS];
    for (enum form form = 0; form < FORMS; form++) {
        has_form[form] = true;
    }
    while (argc > 2 && strcmp(argv[1], "-x") == 0) {
        if (!leave_form_out(argv[2])) {
            fprintf(stderr, "generate: no form is called '%s'\n", argv[2]);
            return 2;
        }
        argv += 2, argc -= 2;
    }
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: generate [-x FORM]... FIRST COUNT [WITHOUT]\n");
        return 2;
    }
    unsigned first = (unsigned)strtoul(argv[1], NULL, 10);
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    char *rest = NULL;
    for (char *word = argc == 4 ? strtok_r(argv[3], ",", &rest) : NULL; word != NULL;
         word = strtok_r(NULL, ",", &rest)) {
        without[strtoul(word, NULL, 10) % MOST_STATEMENTS] = true;
    }
    fputs(prologue, stdout);
    forms_prologue();
    bool *are_lines = calloc(count + 1, sizeof *are_lines);
    for (unsigned i = 0; are_lines != NULL && i < count; i++) {
        kernel(first + i, without);
        are_lines[i] = is_line;
    }
    program(first, count, are_lines);
    free(are_lines);
    return 0;
}
