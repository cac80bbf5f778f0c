// A thread that polls also yields if the loop is left on a condition that no thread changes, once
// an atomic operation's result has made that condition relevant; and if a value shows which of two
// paths was taken.
#include "show.h"
__global__ void leave_if(int *flag, int last, int *odd) {
    if (threadIdx.x == 0) {
        for (;;) {
            if (atomicAdd(flag, 0) == 1) {
                if (last > 5) {
                    break;
                }
                atomicAdd(odd, 1);
            }
        }
        *odd += 100;
    } else {
        atomicExch(flag, 1);
    }
}
__global__ void leave_by_the_way(int *flag, int *odd, int step) {
    if (threadIdx.x == 0) {
        int state = 0;
        do {
            if (atomicAdd(flag, 0) == 1) {
                atomicAdd(odd, 1);
                state += step;
            } else {
                state = 0;
                atomicAnd(odd, -1);
            }
        } while (state < 2 * step);
    } else {
        atomicExch(flag, 1);
    }
}
int main(int argc, char **) {
    int *words;
    MUST(cudaMallocManaged(&words, 2 * sizeof(int)));
    words[0] = words[1] = 0;
    leave_if<<<1, 2>>>(words, 6 * argc, words + 1);
    SHOW(cudaDeviceSynchronize());
    printf("%d\n", words[1]);
    words[0] = words[1] = 0;
    leave_by_the_way<<<1, 2>>>(words, words + 1, argc);
    SHOW(cudaDeviceSynchronize());
    printf("%d\n", words[1]);
    MUST(cudaFree(words));
}
