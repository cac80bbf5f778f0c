__global__ void answer(volatile int *flags)
{
    while (flags[0] == 0) {
    }
    flags[1] = 1;
}
__global__ void peer(volatile int *flags)
{
    answer<<<1, 1, 0, cudaStreamFireAndForget>>>(flags);
    while (flags[1] == 0) {
    }
    flags[3] = 1;
}
