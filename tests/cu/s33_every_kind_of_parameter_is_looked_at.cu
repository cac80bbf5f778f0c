// stderr: parameter 1 \('p'\) of kernel first
// stderr: parameter 2 \('s.next'\), 8 bytes into it, of kernel second
// stderr: parameter 1 \('d.p'\) of kernel third
// stderr: parameter 1 \('d.in.at'\), 40 bytes into it, of kernel third
// stderr: parameter 1 \('f.*local'\) of kernel fourth
// stderr: parameter 2 \('q'\) of kernel packed
// stderr: parameter 1 \('many.p\[299\]'\), 2392 bytes into it, of kernel many_of_them
#include "hide.h"
#include "show.h"
struct Node {
    int value;
    Node *next;
};
struct Base {
    int *p;
};
struct Derived : Base {
    char c;
    double numbers[2];
    struct {
        int n;
        const int *at;
    } in;
};
struct __attribute__((packed)) Packed {
    char c;
    int *p;
};
struct Many {
    int *p[300];
};
__global__ void first(int *p)
{
}
__global__ void second(char c, Node s)
{
}
__global__ void third(Derived d)
{
}
template <class F> __global__ void fourth(F f)
{
}
__global__ void packed(Packed s, int *q)
{
}
__global__ void many_of_them(Many many)
{
}
__global__ void parent(int what)
{
    int local = 0;
    Node node = {};
    Derived d = {};
    Many many = {};
    switch (what) {
    case 0:
        first<<<1, 1>>>(hide(&local));
        break;
    case 1:
        second<<<1, 1>>>('c', Node{1, hide(&node)});
        break;
    case 2:
        d.p = hide(&local), third<<<1, 1>>>(d);
        break;
    case 3:
        d.in.at = hide(&local), third<<<1, 1>>>(d);
        break;
    case 4: {
        int *seen = hide(&local);
        fourth<<<1, 1>>>([local = seen] { *local = 1; });
        break;
    }
    case 5:
        packed<<<1, 1>>>(Packed{}, hide(&local));
        break;
    case 6:
        many.p[299] = hide(&local), many_of_them<<<1, 1>>>(many);
        break;
    case 7: {
        auto *buffer = (int **)cudaGetParameterBuffer(64, sizeof(int *));
        buffer[0] = hide(&local);
        cudaLaunchDevice((void *)first, buffer, 1, 1, 0, 0);
        break;
    }
    case 8: {
        auto *buffer = (int **)cudaGetParameterBufferV2((void *)first, 1, 1, 0);
        buffer[0] = hide(&local);
        cudaLaunchDeviceV2(buffer, 0);
        break;
    }
    case 9:
        first<<<1, 1, 0, cudaStreamTailLaunch>>>(hide(&local));
        break;
    case 10:
        first<<<1, 1, 0, cudaStreamFireAndForget>>>(hide(&local));
        break;
    }
}
int main()
{
    for (int what = 0; what <= 10; what++) {
        parent<<<1, 1>>>(what);
        SHOW(cudaDeviceSynchronize());
        MUST(cudaDeviceReset());
    }
}
