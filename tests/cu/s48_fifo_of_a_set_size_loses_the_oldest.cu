// Nothing is lost until the program sets the FIFO's size; then the oldest lines are lost.
#include "show.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void say(int lines) {
    for (int i = 0; i < lines; i++) {
        printf("line %06d ........................................\n", i);
    }
}
// The number of lines that the host gets, and the first and last of them.
static int run(int lines) {
    fflush(stdout);
    int saved = dup(1), count = 0, first = -1, last = -1, number;
    FILE *file = tmpfile();
    dup2(fileno(file), 1);
    say<<<1, 1>>>(lines);
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stdout);
    dup2(saved, 1);
    rewind(file);
    char line[128];
    while (fgets(line, sizeof(line), file) != nullptr) {
        if (sscanf(line, "line %d", &number) == 1 && strlen(line) == 53) {
            first = first < 0 ? number : first;
            last = number;
            count++;
        }
    }
    printf("%s: %s lines, the first %s, the last %s\n", cudaGetErrorName(error),
           count == lines ? "all" : count > 0 ? "some" : "no", first == 0 ? "too" : "not",
           last == lines - 1 ? "too" : "not");
    return 0;
}
int main() {
    run(300000); // 16 MB, twice the default size
    MUST(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    run(100);
    run(300000);
}
