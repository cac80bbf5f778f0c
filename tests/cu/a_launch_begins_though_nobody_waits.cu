// The host launches, and then only reads memory: no later call of the runtime helps. A worker that
// has been idle for any time (active, polling often, polling rarely, about to sleep, asleep) must
// find the launch. On a busy machine a round takes as long as the system takes to run a worker.
// Then there are fewer rounds, and none of them may fail.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "../../examples/check.h"

#define ROUNDS 2000

using Clock = std::chrono::steady_clock;

__global__ void tell(int *place, int round)
{
    atomicExch_system(place, round);
}

static void pass(std::chrono::nanoseconds time)
{
    if (time > std::chrono::microseconds(200)) {
        std::this_thread::sleep_for(time);
        return;
    }
    for (auto end = Clock::now() + time; Clock::now() < end;) {
    }
}

int main()
{
    int *memory;
    check(cudaHostAlloc(&memory, sizeof *memory, cudaHostAllocMapped));
    auto *place = reinterpret_cast<std::atomic<int> *>(memory);
    *place = 0;
    auto enough = Clock::now() + std::chrono::seconds(20);
    for (int round = 1; round <= ROUNDS && (round <= 100 || Clock::now() < enough); round++) {
        pass(std::chrono::nanoseconds(round % 100 * 37) * (round % 13 == 0 ? 200 : round % 20));
        tell<<<1, 1>>>(memory, round);
        auto end = Clock::now() + std::chrono::seconds(20);
        while (*place != round) {
            if (Clock::now() > end) {
                printf("round %d did not begin\n", round);
                fflush(stdout);
                _Exit(1);
            }
            std::this_thread::yield();
        }
        if (round % 3 == 0) { // and the host runs some itself
            tell<<<1, 1>>>(memory, -round);
            check(cudaDeviceSynchronize());
            if (*place != -round) {
                printf("round %d: %d\n", round, place->load());
            }
        }
    }
    check(cudaDeviceSynchronize());
    printf("each began\n");
}
