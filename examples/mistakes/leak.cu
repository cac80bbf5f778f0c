int main()
{
    for (int i = 0; i < 10; i++) {
        int *a;
        cudaMalloc(&a, 1 << 20);
    }
}
