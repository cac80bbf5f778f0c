// Texture and surface references of a module. The argument is a file with the code of
// reference_code.cu.
#include <cstdio>
#include <cstring>

#include "show.h"

static CUmodule module;
static CUdeviceptr out;

static CUfunction function(const char *name)
{
    CUfunction found = NULL;
    cuModuleGetFunction(&found, module, name);
    return found;
}

static void read_float(const char *kernel, float x, float y)
{
    float result = -1;
    void *args[] = {&out, &x, &y};
    CUresult launched = cuLaunchKernel(function(kernel), 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
    cuMemcpyDtoH(&result, out, sizeof result);
    printf("%s(%g, %g) = %g, %d\n", kernel, x, y, result, launched);
}

static void arrays()
{
    puts("-- arrays");
    CUtexref image, again, wrong;
    CUarray array, found = NULL;
    CUDA_ARRAY_DESCRIPTOR desc = {4, 4, CU_AD_FORMAT_FLOAT, 1};
    float data[16];
    for (int i = 0; i < 16; i++) {
        data[i] = (float)i;
    }
    SHOW(cuArrayCreate(&array, &desc));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = data;
    copy.srcPitch = 16;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 16;
    copy.Height = 4;
    SHOW(cuMemcpy2D(&copy));
    SHOW(cuModuleGetTexRef(&image, module, "image"));
    SHOW(cuModuleGetTexRef(&again, module, "image"));
    printf("%d\n", image == again);
    SHOW(cuModuleGetTexRef(&wrong, module, "nothing"));
    SHOW(cuModuleGetTexRef(&wrong, module, "plain"));
    SHOW(cuModuleGetTexRef(NULL, module, "image"));
    SHOW(cuTexRefGetArray(&found, image));
    SHOW(cuTexRefSetArray(image, array, 0));
    SHOW(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
    SHOW(cuTexRefGetArray(&found, image));
    printf("%d\n", found == array);
    read_float("sample", 1.5f, 2.5f);
    read_float("sample", 9, 0);
    SHOW(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
    read_float("sample", 2, 2.5f);
    SHOW(cuTexRefSetAddressMode(image, 0, CU_TR_ADDRESS_MODE_WRAP));
    SHOW(cuTexRefSetAddressMode(image, 1, CU_TR_ADDRESS_MODE_BORDER));
    SHOW(cuTexRefSetAddressMode(image, 3, CU_TR_ADDRESS_MODE_WRAP));
    float border[4] = {100, 0, 0, 0};
    SHOW(cuTexRefSetBorderColor(image, border));
    SHOW(cuTexRefSetFlags(image, CU_TRSF_NORMALIZED_COORDINATES));
    SHOW(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_POINT));
    read_float("sample", 1.4f, 0.1f);
    read_float("sample", 0.1f, 1.4f);
    CUaddress_mode mode;
    CUfilter_mode filter;
    unsigned flags;
    SHOW(cuTexRefGetAddressMode(&mode, image, 1));
    SHOW(cuTexRefGetFilterMode(&filter, image));
    SHOW(cuTexRefGetFlags(&flags, image));
    printf("%d %d %u\n", mode, filter, flags);
    SHOW(cuTexRefGetFilterMode(NULL, image));
    SHOW(cuTexRefDestroy(image));
}

static void read_int(int at)
{
    int result = -1;
    void *args[] = {&out, &at};
    cuLaunchKernel(function("fetch"), 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
    cuMemcpyDtoH(&result, out, sizeof result);
    printf("fetch(%d) = %d\n", at, result);
}

static void memory()
{
    puts("-- memory");
    CUtexref numbers, bytes;
    CUdeviceptr p, found = 0;
    int values[64];
    size_t offset = 99;
    for (int i = 0; i < 64; i++) {
        values[i] = 1000 + i;
    }
    SHOW(cuMemAlloc(&p, sizeof values));
    SHOW(cuMemcpyHtoD(p, values, sizeof values));
    SHOW(cuModuleGetTexRef(&numbers, module, "numbers"));
    SHOW(cuTexRefSetFormat(numbers, CU_AD_FORMAT_SIGNED_INT32, 1));
    SHOW(cuTexRefSetFlags(numbers, CU_TRSF_READ_AS_INTEGER));
    SHOW(cuTexRefSetAddress(&offset, numbers, p, sizeof values));
    printf("%zu\n", offset);
    read_int(7);
    SHOW(cuTexRefSetAddress(NULL, numbers, p + 4, 64));
    SHOW(cuTexRefSetAddress(&offset, numbers, p + 4, 64));
    printf("%zu\n", offset);
    read_int(7);
    SHOW(cuTexRefGetAddress(&found, numbers));
    printf("%d\n", found == p);
    SHOW(cuTexRefSetAddress(&offset, numbers, 0, 64));
    unsigned char pixels[64 * 4];
    memset(pixels, 51, sizeof pixels);
    pixels[64 + 2] = 255;
    CUdeviceptr rows;
    CUDA_ARRAY_DESCRIPTOR desc = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    SHOW(cuMemAlloc(&rows, sizeof pixels));
    SHOW(cuMemcpyHtoD(rows, pixels, sizeof pixels));
    SHOW(cuModuleGetTexRef(&bytes, module, "bytes"));
    SHOW(cuTexRefSetAddress2D(bytes, &desc, rows, 64));
    read_float("fraction", 2.5f, 1.5f);
    read_float("fraction", 1.5f, 1.5f);
    SHOW(cuTexRefGetAddress(&found, bytes));
    CUarray_format format;
    int channels;
    SHOW(cuTexRefGetFormat(&format, &channels, numbers));
    printf("%d %d\n", format, channels);
}

static void surfaces()
{
    puts("-- surfaces");
    CUsurfref target;
    CUarray array, found = NULL;
    CUDA_ARRAY3D_DESCRIPTOR desc = {4, 2, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    SHOW(cuArray3DCreate(&array, &desc));
    SHOW(cuModuleGetSurfRef(&target, module, "target"));
    SHOW(cuSurfRefSetArray(target, array, 0));
    SHOW(cuSurfRefGetArray(&found, target));
    printf("%d\n", found == array);
    float value = 2.5f, back[8] = {};
    void *args[] = {&value};
    SHOW(cuLaunchKernel(function("draw"), 1, 1, 1, 4, 2, 1, 0, NULL, args, NULL));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back;
    copy.dstPitch = 16;
    copy.WidthInBytes = 16;
    copy.Height = 2;
    SHOW(cuMemcpy2D(&copy));
    printf("%g %g\n", back[0], back[7]);
}

int main(int, char **argv)
{
    CUcontext context;
    CUtexref made;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    SHOW(cuModuleLoad(&module, argv[1]));
    SHOW(cuMemAlloc(&out, 64));
    arrays();
    memory();
    surfaces();
    SHOW(cuTexRefCreate(&made));
    SHOW(cuTexRefSetFilterMode(made, CU_TR_FILTER_MODE_LINEAR));
    SHOW(cuTexRefDestroy(made));
    SHOW(cuTexRefDestroy(made));
    SHOW(cuModuleUnload(module));
}
