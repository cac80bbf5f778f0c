// error: error: .*(variadic|ellipsis|'\.\.\.')
__global__ void kernel(int count, ...) {}
int main() { kernel<<<1, 1>>>(1, 2); }
