// cdpcc: -O0
// env: CDP_DEVICES=4 CDP_MEMORY_MB=512
// Each collective of NCCL, in place and not, for all types and reductions.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <nccl.h>

constexpr int ranks = 4;
static ncclComm_t comms[ranks];
static cudaStream_t streams[ranks];
static int wrong;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        ncclResult_t result_ = (call);                                                             \
        if (result_ != ncclSuccess) {                                                              \
            printf("%s: %s\n", #call, ncclGetErrorString(result_));                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void wait()
{
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaStreamSynchronize(streams[r]);
    }
}

template <class T> struct Buffers {
    T *at[ranks];
    size_t count;
    explicit Buffers(size_t n) : count(n)
    {
        for (int r = 0; r < ranks; r++) {
            cudaSetDevice(r);
            cudaMalloc(&at[r], n * sizeof(T));
        }
    }
    ~Buffers()
    {
        for (int r = 0; r < ranks; r++) {
            cudaFree(at[r]);
        }
    }
    template <class F> void fill(F value)
    {
        std::vector<T> host(count);
        for (int r = 0; r < ranks; r++) {
            for (size_t i = 0; i < count; i++) {
                host[i] = value(r, i);
            }
            cudaMemcpy(at[r], host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
        }
    }
    template <class F> void expect(const char *what, F value, int only = -1)
    {
        std::vector<T> host(count);
        for (int r = 0; r < ranks; r++) {
            if (only >= 0 && r != only) {
                continue;
            }
            cudaMemcpy(host.data(), at[r], count * sizeof(T), cudaMemcpyDeviceToHost);
            for (size_t i = 0; i < count; i++) {
                T wanted = value(r, i);
                if (memcmp(&wanted, &host[i], sizeof(T)) != 0) {
                    printf("%s: rank %d, element %zu: %g, not %g\n", what, r, i, (double)(float)host[i],
                           (double)(float)wanted);
                    wrong++;
                    break;
                }
            }
        }
    }
};

// Small numbers, so that all types represent all results but the products of bytes, which wrap.
static int number(int r, size_t i)
{
    return (int)((i * 7 + (size_t)r * 3) % 3) + 1;
}

static double combined(ncclRedOp_t op, size_t i)
{
    double result = number(0, i);
    for (int r = 1; r < ranks; r++) {
        double x = number(r, i);
        result = op == ncclProd ? result * x
                 : op == ncclMin ? fmin(result, x)
                 : op == ncclMax ? fmax(result, x)
                                 : result + x;
    }
    return op == ncclAvg ? result / ranks : result;
}

template <class T> static void reductions(const char *name, ncclDataType_t type, size_t n)
{
    Buffers<T> in(n), out(n), blocks(n / ranks);
    const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMin, ncclMax, ncclAvg};
    for (ncclRedOp_t op : ops) {
        auto wanted = [&](int, size_t i) { return (T)(float)combined(op, i); };
        auto start = [](int r, size_t i) { return (T)(float)number(r, i); };
        in.fill(start);
        CHECK(ncclGroupStart());
        for (int r = 0; r < ranks; r++) {
            CHECK(ncclAllReduce(in.at[r], out.at[r], n, type, op, comms[r], streams[r]));
        }
        for (int r = 0; r < ranks; r++) {
            CHECK(ncclReduceScatter(in.at[r], blocks.at[r], n / ranks, type, op, comms[r], streams[r]));
        }
        CHECK(ncclGroupEnd());
        wait();
        out.expect(name, wanted);
        blocks.expect(name, [&](int r, size_t i) { return wanted(r, i + (size_t)r * (n / ranks)); });
        // In place.
        CHECK(ncclGroupStart());
        for (int r = 0; r < ranks; r++) {
            CHECK(ncclAllReduce(in.at[r], in.at[r], n, type, op, comms[r], streams[r]));
        }
        CHECK(ncclGroupEnd());
        wait();
        in.expect(name, wanted);
    }
    T factor[ranks];
    ncclRedOp_t scaled[ranks];
    in.fill([](int r, size_t i) { return (T)(float)number(r, i); });
    for (int r = 0; r < ranks; r++) {
        factor[r] = (T)(float)(r + 1);
        CHECK(ncclRedOpCreatePreMulSum(&scaled[r], &factor[r], type, ncclScalarHostImmediate, comms[r]));
    }
    CHECK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclReduce(in.at[r], out.at[r], n, type, scaled[r], 2, comms[r], streams[r]));
        CHECK(ncclRedOpDestroy(scaled[r], comms[r]));
    }
    CHECK(ncclGroupEnd());
    wait();
    auto sum = [](int, size_t i) {
        float result = 0;
        for (int r = 0; r < ranks; r++) {
            result += (float)(number(r, i) * (r + 1));
        }
        return (T)result;
    };
    out.expect(name, sum, 2);
    printf("%s\n", name);
}

static void moves(size_t n)
{
    Buffers<int> in(n), out(n * ranks);
    auto start = [](int r, size_t i) { return (int)i * 10 + r; };
    in.fill(start);
    CHECK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclAllGather(in.at[r], out.at[r], n, ncclInt, comms[r], streams[r]));
        CHECK(ncclBroadcast(r == 1 ? in.at[r] : nullptr, in.at[r], n, ncclInt, 1, comms[r], streams[r]));
    }
    CHECK(ncclGroupEnd());
    wait();
    out.expect("ncclAllGather", [&](int, size_t i) { return start((int)(i / n), i % n); });
    in.expect("ncclBroadcast", [&](int, size_t i) { return start(1, i); });
    // In place: each rank's part is where the result has it.
    out.fill([&](int r, size_t i) { return i / n == (size_t)r ? (int)i : -1; });
    CHECK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclAllGather(out.at[r] + (size_t)r * n, out.at[r], n, ncclInt, comms[r], streams[r]));
    }
    CHECK(ncclGroupEnd());
    wait();
    out.expect("ncclAllGather in place", [&](int, size_t i) { return (int)i; });
    out.fill([](int r, size_t i) { return (int)i + r; });
    CHECK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclReduceScatter(out.at[r], out.at[r] + (size_t)r * n, n, ncclInt, ncclMax, comms[r], streams[r]));
        CHECK(ncclBcast(in.at[r], n, ncclInt, 3, comms[r], streams[r]));
    }
    CHECK(ncclGroupEnd());
    wait();
    out.expect("ncclReduceScatter in place", [&](int r, size_t i) { return (int)i + (i / n == (size_t)r ? 3 : r); });
    // To the right in a ring, and to itself.
    in.fill(start);
    CHECK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclSend(in.at[r], n, ncclInt, (r + 1) % ranks, comms[r], streams[r]));
        CHECK(ncclRecv(out.at[r], n, ncclInt, (r + 3) % ranks, comms[r], streams[r]));
        CHECK(ncclSend(in.at[r], n / 2, ncclInt, r, comms[r], streams[r]));
        CHECK(ncclRecv(out.at[r] + n, n / 2, ncclInt, r, comms[r], streams[r]));
    }
    CHECK(ncclGroupEnd());
    wait();
    out.expect("ncclSend", [&](int r, size_t i) {
        return i < n            ? start((r + 3) % ranks, i)
               : i < n + n / 2 ? start(r, i - n)
                                : (int)i + (i / n == (size_t)r ? 3 : r);
    });
    printf("moves of %zu\n", n);
}

// Sums in the order of the ranks: another order gives another result.
static void order()
{
    const float values[ranks] = {1e8f, 1.0f, -1e8f, 0.5f};
    Buffers<float> x(1);
    x.fill([&](int r, size_t) { return values[r]; });
    CHECK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclAllReduce(x.at[r], x.at[r], 1, ncclFloat, ncclSum, comms[r], streams[r]));
    }
    CHECK(ncclGroupEnd());
    wait();
    x.expect("order", [&](int, size_t) { return ((values[0] + values[1]) + values[2]) + values[3]; });
}

int main()
{
    int version, count, device, rank;
    CHECK(ncclGetVersion(&version));
    CHECK(ncclCommInitAll(comms, ranks, nullptr));
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaStreamCreate(&streams[r]);
        CHECK(ncclCommCount(comms[r], &count));
        CHECK(ncclCommCuDevice(comms[r], &device));
        CHECK(ncclCommUserRank(comms[r], &rank));
        if (count != ranks || device != r || rank != r) {
            printf("rank %d: %d %d %d\n", r, count, device, rank);
        }
    }
    printf("version %s\n", version == NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH) ? "as the header's" : "?");
    reductions<signed char>("int8", ncclInt8, 400);
    reductions<unsigned char>("uint8", ncclUint8, 400);
    reductions<int>("int32", ncclInt32, 70000);
    reductions<unsigned>("uint32", ncclUint32, 4000);
    reductions<long long>("int64", ncclInt64, 4000);
    reductions<unsigned long long>("uint64", ncclUint64, 4000);
    reductions<float>("float32", ncclFloat32, 140000);
    reductions<double>("float64", ncclFloat64, 4000);
    reductions<half>("float16", ncclFloat16, 4000);
    reductions<nv_bfloat16>("bfloat16", ncclBfloat16, 4000);
    reductions<__nv_fp8_e4m3>("float8e4m3", ncclFloat8e4m3, 400);
    reductions<__nv_fp8_e5m2>("float8e5m2", ncclFloat8e5m2, 400);
    moves(100);
    moves(70000);
    order();
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclCommDestroy(comms[r]));
    }
    printf("wrong: %d\n", wrong);
}
