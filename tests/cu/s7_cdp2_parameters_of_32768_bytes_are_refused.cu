// cdpcc: --cdp=2
// error: error: .*tooMuch.*32768.*32764
struct Large {
    int values[8192];
};
__global__ void tooMuch(Large large)
{
    (void)large;
}
int main()
{
    tooMuch<<<1, 1>>>(Large());
}
