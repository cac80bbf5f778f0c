#include <cstdio>

__global__ void hello()
{
    printf("hello\n");
}

int main()
{
    hello<<<1, 2048>>>();
    hello<<<1, 1>>>();
}
