__global__ void twice(int *a)
{
    a[threadIdx.x] *= 2
}

int main()
{
    twice(nullptr);
}
