// Collectives between processes. Prints "wrong: 0".
//   processes PROCESSES RANKS_OF_EACH               forks
//   processes PROCESSES RANKS_OF_EACH NUMBER FILE   is one of them; number 0 writes the id into the file
// With -DWITH_MPI and no arguments: one rank for each of MPI's.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <nccl.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        ncclResult_t result_ = (call);                                                             \
        if (result_ != ncclSuccess) {                                                              \
            printf("%s: %s\n", #call, ncclGetErrorString(result_));                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

constexpr size_t n = 70001; // elements; no multiple of the number of ranks

struct Process {
    int first, each, ranks, wrong = 0;
    std::vector<ncclComm_t> comms;
    std::vector<float *> in, out;
    std::vector<float> host;

    Process(int number, int count, int of_each, ncclUniqueId id)
        : first(number * of_each), each(of_each), ranks(count * of_each), comms(of_each), in(of_each), out(of_each),
          host(n * (size_t)(count * of_each))
    {
        CHECK(ncclGroupStart());
        for (int i = 0; i < each; i++) {
            cudaSetDevice(i);
            CHECK(ncclCommInitRank(&comms[i], ranks, id, first + i));
        }
        CHECK(ncclGroupEnd());
        for (int i = 0; i < each; i++) {
            cudaSetDevice(i);
            cudaMalloc(&in[i], host.size() * sizeof(float));
            cudaMalloc(&out[i], host.size() * sizeof(float));
            fill(i);
        }
    }
    ~Process()
    {
        for (int i = 0; i < each; i++) {
            CHECK(ncclCommDestroy(comms[i]));
            cudaFree(in[i]);
            cudaFree(out[i]);
        }
    }
    static float start(int rank, size_t i)
    {
        return (float)((rank + 1) * (int)(i % 100));
    }
    void fill(int i)
    {
        for (size_t k = 0; k < host.size(); k++) {
            host[k] = start(first + i, k);
        }
        cudaMemcpy(in[i], host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    }
    // call(i, rank) for each rank of the process, in one group.
    template <class F> void all(F call)
    {
        CHECK(ncclGroupStart());
        for (int i = 0; i < each; i++) {
            CHECK(call(i, first + i));
        }
        CHECK(ncclGroupEnd());
        for (int i = 0; i < each; i++) {
            cudaSetDevice(i);
            if (cudaStreamSynchronize(0) != cudaSuccess) {
                printf("a stream failed\n");
                exit(1);
            }
        }
    }
    template <class F> void expect(const char *what, int i, size_t count, F value)
    {
        cudaMemcpy(host.data(), out[i], count * sizeof(float), cudaMemcpyDeviceToHost);
        for (size_t k = 0; k < count; k++) {
            if (host[k] != value(k)) {
                printf("%s: rank %d, element %zu: %g, not %g\n", what, first + i, k, host[k], value(k));
                wrong++;
                return;
            }
        }
    }
    void reductions()
    {
        int sum = ranks * (ranks + 1) / 2;
        all([&](int i, int) { return ncclAllReduce(in[i], out[i], n, ncclFloat, ncclSum, comms[i], 0); });
        for (int i = 0; i < each; i++) {
            expect("ncclAllReduce", i, n, [&](size_t k) { return start(sum - 1, k); });
        }
        all([&](int i, int) { return ncclReduceScatter(in[i], out[i], n, ncclFloat, ncclSum, comms[i], 0); });
        for (int i = 0; i < each; i++) {
            expect("ncclReduceScatter", i, n, [&](size_t k) { return start(sum - 1, k + (size_t)(first + i) * n); });
        }
        all([&](int i, int) { return ncclReduce(in[i], out[i], n, ncclFloat, ncclMax, ranks - 1, comms[i], 0); });
        if (first + each == ranks) {
            expect("ncclReduce", each - 1, n, [&](size_t k) { return start(ranks - 1, k); });
        }
    }
    void scaled()
    {
        std::vector<ncclRedOp_t> ops(each);
        for (int i = 0; i < each; i++) {
            float factor = first + i == 0 ? 10.0f : 1.0f;
            CHECK(ncclRedOpCreatePreMulSum(&ops[i], &factor, ncclFloat, ncclScalarHostImmediate, comms[i]));
        }
        all([&](int i, int) { return ncclAllReduce(in[i], out[i], 5, ncclFloat, ops[i], comms[i], 0); });
        for (int i = 0; i < each; i++) {
            expect("scaled", i, 5, [&](size_t k) { return start(ranks * (ranks + 1) / 2 + 8, k); });
        }
    }
    void moves()
    {
        all([&](int i, int) { return ncclAllGather(in[i], out[i], n, ncclFloat, comms[i], 0); });
        for (int i = 0; i < each; i++) {
            expect("ncclAllGather", i, n * (size_t)ranks, [&](size_t k) { return start((int)(k / n), k % n); });
        }
        all([&](int i, int) { return ncclBroadcast(in[i], out[i], n, ncclFloat, ranks / 2, comms[i], 0); });
        for (int i = 0; i < each; i++) {
            expect("ncclBroadcast", i, n, [&](size_t k) { return start(ranks / 2, k); });
        }
        all([&](int i, int rank) { // each to all
            for (int other = 0; other < ranks; other++) {
                CHECK(ncclSend(in[i] + other * 1000, 1000, ncclFloat, other, comms[i], 0));
                CHECK(ncclRecv(out[i] + other * 1000, 1000, ncclFloat, other, comms[i], 0));
            }
            return rank < ranks ? ncclSuccess : ncclInternalError;
        });
        for (int i = 0; i < each; i++) {
            expect("all to all", i, 1000 * (size_t)ranks,
                   [&](size_t k) { return start((int)(k / 1000), k % 1000 + (size_t)(first + i) * 1000); });
        }
    }
    // Many operations that are queued at once; in place.
    void many()
    {
        for (int i = 0; i < each; i++) {
            cudaSetDevice(i);
            cudaMemset(out[i], 0, 8 * sizeof(float));
        }
        for (int step = 0; step < 20; step++) {
            all([&](int i, int rank) {
                cudaSetDevice(i);
                for (int k = 0; k < 5; k++) {
                    CHECK(ncclAllReduce(out[i], out[i], 8, ncclFloat, ncclMax, comms[i], 0));
                    CHECK(ncclAllReduce(in[i] + 1, out[i], 8, ncclFloat, ncclSum, comms[i], 0));
                }
                return rank < 0 ? ncclInternalError : ncclSuccess;
            });
        }
        for (int i = 0; i < each; i++) {
            expect("many", i, 8, [&](size_t k) { return start(ranks * (ranks + 1) / 2 - 1, k + 1); });
        }
    }
    void splits()
    {
        std::vector<ncclComm_t> parts(each);
        CHECK(ncclGroupStart());
        for (int i = 0; i < each; i++) {
            CHECK(ncclCommSplit(comms[i], (first + i) % 2, -i, &parts[i], nullptr));
        }
        CHECK(ncclGroupEnd());
        all([&](int i, int) { return ncclAllReduce(in[i], out[i], 50, ncclFloat, ncclSum, parts[i], 0); });
        for (int i = 0; i < each; i++) {
            int sum = 0;
            for (int rank = (first + i) % 2; rank < ranks; rank += 2) {
                sum += rank + 1;
            }
            expect("ncclCommSplit", i, 50, [&](size_t k) { return start(sum - 1, k); });
            CHECK(ncclCommDestroy(parts[i]));
        }
    }
    void exchanges()
    {
        const size_t m = 700;
        int root = ranks - 1;
        all([&](int i, int) { return ncclAlltoAll(in[i], out[i], m, ncclFloat, comms[i], 0); });
        for (int i = 0; i < each; i++) {
            expect("ncclAlltoAll", i, m * (size_t)ranks,
                   [&](size_t k) { return start((int)(k / m), k % m + (size_t)(first + i) * m); });
        }
        all([&](int i, int) { return ncclScatter(in[i], out[i], m, ncclFloat, root, comms[i], 0); });
        for (int i = 0; i < each; i++) {
            expect("ncclScatter", i, m, [&](size_t k) { return start(root, k + (size_t)(first + i) * m); });
        }
        all([&](int i, int) { return ncclGather(in[i], out[i], m, ncclFloat, root, comms[i], 0); });
        if (first + each == ranks) {
            expect("ncclGather", each - 1, m * (size_t)ranks,
                   [&](size_t k) { return start((int)(k / m), k % m); });
        }
    }
    // Without some ranks; these make no call.
    void shrink(std::vector<int> without)
    {
        std::vector<ncclComm_t> parts(each);
        int sum = ranks * (ranks + 1) / 2;
        for (int rank : without) {
            sum -= rank + 1;
        }
        auto stays = [&](int rank) {
            bool is_out = false;
            for (int other : without) {
                is_out |= other == rank;
            }
            return !is_out;
        };
        CHECK(ncclGroupStart());
        for (int i = 0; i < each; i++) {
            if (stays(first + i)) {
                CHECK(ncclCommShrink(comms[i], without.data(), (int)without.size(), &parts[i], nullptr, 0));
            }
        }
        CHECK(ncclGroupEnd());
        all([&](int i, int rank) {
            return stays(rank) ? ncclAllReduce(in[i], out[i], 50, ncclFloat, ncclSum, parts[i], 0) : ncclSuccess;
        });
        for (int i = 0; i < each; i++) {
            if (stays(first + i)) {
                expect("ncclCommShrink", i, 50, [&](size_t k) { return start(sum - 1, k); });
                CHECK(ncclCommDestroy(parts[i]));
            }
        }
    }
    /* The ranks that ncclCommShrink excludes destroy their communicator at any time. */
    void leave()
    {
        std::vector<int> without;
        for (int rank = 2; rank < ranks; rank++) {
            without.push_back(rank);
        }
        for (int turn = 0; turn < 20; turn++) {
            std::vector<ncclComm_t> all_ranks(each), parts(each);
            CHECK(ncclGroupStart());
            for (int i = 0; i < each; i++) {
                CHECK(ncclCommSplit(comms[i], 0, first + i, &all_ranks[i], nullptr));
            }
            CHECK(ncclGroupEnd());
            CHECK(ncclGroupStart());
            for (int i = 0; i < each; i++) {
                if (first + i < 2) {
                    CHECK(ncclCommShrink(all_ranks[i], without.data(), (int)without.size(), &parts[i], nullptr, 0));
                }
            }
            CHECK(ncclGroupEnd());
            for (int i = 0; i < each; i++) {
                if (first + i < 2) {
                    CHECK(ncclCommDestroy(parts[i]));
                }
                CHECK(ncclCommDestroy(all_ranks[i]));
            }
        }
    }
    int run()
    {
        reductions();
        scaled();
        moves();
        many();
        splits();
        exchanges();
        if (ranks > 2) {
            shrink({0});
            shrink({ranks - 1});
            shrink({0});
            shrink({ranks - 1, 1});
        }
        if (ranks > 3) {
            leave();
        }
        return wrong;
    }
};

#ifdef WITH_MPI
static void with_mpi(int argc, char **argv)
{
    int rank, size, all = 0;
    ncclUniqueId id;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        CHECK(ncclGetUniqueId(&id));
    }
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    int wrong = Process(rank, size, 1, id).run();
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("wrong: %d\n", all);
    }
    MPI_Finalize();
}
#endif

static ncclUniqueId id_of_file(bool makes, std::string name)
{
    ncclUniqueId id;
    if (makes) {
        CHECK(ncclGetUniqueId(&id));
        FILE *file = fopen((name + "~").c_str(), "w");
        fwrite(&id, sizeof id, 1, file);
        fclose(file);
        rename((name + "~").c_str(), name.c_str());
        return id;
    }
    FILE *file;
    while ((file = fopen(name.c_str(), "r")) == nullptr) {
        usleep(1000);
    }
    if (fread(&id, sizeof id, 1, file) != 1) {
        exit(1);
    }
    fclose(file);
    return id;
}

int main(int argc, char **argv)
{
#ifdef WITH_MPI
    if (argc == 1) {
        with_mpi(argc, argv);
        return 0;
    }
#endif
    int processes = argc > 2 ? atoi(argv[1]) : 2, each = argc > 2 ? atoi(argv[2]) : 1;
    if (argc > 4) {
        int number = atoi(argv[3]);
        printf("wrong: %d\n", Process(number, processes, each, id_of_file(number == 0, argv[4])).run());
        return 0;
    }
    ncclUniqueId id;
    std::vector<pid_t> children;
    CHECK(ncclGetUniqueId(&id));
    for (int i = 1; i < processes; i++) {
        pid_t child = fork();
        if (child == 0) {
            exit(Process(i, processes, each, id).run());
        }
        children.push_back(child);
    }
    int wrong = Process(0, processes, each, id).run();
    for (pid_t child : children) {
        int status;
        waitpid(child, &status, 0);
        wrong += status;
    }
    printf("wrong: %d\n", wrong);
}
