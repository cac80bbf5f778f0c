// cdpcc: --cdp=1
// error: error: .*tooMuch.*4100.*4096
struct Large {
    int values[1025];
};
__global__ void tooMuch(Large large) { (void)large; }
int main() { tooMuch<<<1, 1>>>(Large()); }
