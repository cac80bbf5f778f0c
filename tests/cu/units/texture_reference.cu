// A part of s38_texture_references: a static reference of the same name, and one for all units.
static texture<int> own;
texture<int> other;
__global__ void read_own(int *out) { out[0] = tex1Dfetch(own, 1), out[1] = tex1Dfetch(other, 2); }
int bind_in_other_unit(int *memory) { return cudaBindTexture(0, own, memory, 64 * sizeof(int)); }
int read_in_other_unit(int *out)
{
    read_own<<<1, 1>>>(out);
    return cudaGetLastError();
}
