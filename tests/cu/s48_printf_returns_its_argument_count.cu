#include "show.h"
__global__ void kernel() {
    int none = printf("plain text\n");
    int three = printf("%d %s %f\n", 1, "two", 3.0);
    printf("%d %d\n", none, three);
}
int main() {
    kernel<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
