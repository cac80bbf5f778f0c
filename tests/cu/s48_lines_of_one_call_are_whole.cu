#include "show.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>
__global__ void kernel() {
    printf("<%d %d %s %s %s>\n", blockIdx.x, threadIdx.x, "aaaaaaaaaaaaaaaaaaaaaaaa",
           "bbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "cccccccccccccccccccccccccccccccc");
}
// The host reads its own output back and counts the lines.
int main() {
    int saved = dup(1);
    FILE *file = tmpfile();
    dup2(fileno(file), 1);
    kernel<<<32, 32>>>();
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stdout);
    dup2(saved, 1);
    rewind(file);
    char line[256];
    int whole = 0, torn = 0, block, thread;
    std::vector<int> seen(1024);
    while (fgets(line, sizeof(line), file)) {
        char a[64], b[64], c[64];
        if (sscanf(line, "<%d %d %s %s %32s>", &block, &thread, a, b, c) == 5 &&
            strcmp(c, "cccccccccccccccccccccccccccccccc") == 0 && seen[block * 32 + thread]++ == 0) {
            whole++;
        } else {
            torn++;
        }
    }
    printf("%s %d whole, %d torn\n", cudaGetErrorName(error), whole, torn);
}
