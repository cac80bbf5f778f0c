// Arrays, textures and surfaces of the driver API: calls and their codes. An H100 gave the same for all before
// the surfaces; the rest was not compared.
#include <cstdio>
#include <cstring>

#include "show.h"

enum { W = 8, H = 4, D = 3 };

__global__ void sample(CUtexObject texture, float *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * W + x] = tex2D<float>(texture, (x + 1.0f) / W, (y + 0.5f) / H);
}

__global__ void fetch(CUtexObject texture, int *out)
{
    out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x);
}

__global__ void twice(CUsurfObject surface)
{
    int x = threadIdx.x * (int)sizeof(float), y = threadIdx.y;
    float value;
    surf2Dread(&value, surface, x, y);
    surf2Dwrite(2 * value, surface, x, y);
}

template <typename T> static CUfunction kernel(T *symbol)
{
    cudaFunction_t function = NULL;
    cudaGetFuncBySymbol(&function, (const void *)symbol);
    return (CUfunction)function;
}

static void show(const char *what, const float *values, int count)
{
    printf("%s:", what);
    for (int i = 0; i < count; i++) {
        printf(" %g", values[i]);
    }
    printf("\n");
}

static float host[D][H][W], back[D][H][W];

static void descriptions()
{
    CUarray array, other;
    CUDA_ARRAY_DESCRIPTOR flat = {};
    CUDA_ARRAY3D_DESCRIPTOR deep = {};
    flat.Width = W;
    flat.Height = H;
    flat.Format = CU_AD_FORMAT_FLOAT;
    flat.NumChannels = 1;
    SHOW(cuArrayCreate(NULL, &flat));
    SHOW(cuArrayCreate(&array, NULL));
    SHOW(cuArrayCreate(&array, &flat));
    memset(&flat, 0, sizeof flat);
    SHOW(cuArrayGetDescriptor(&flat, array));
    printf("%zu %zu %x %u\n", flat.Width, flat.Height, flat.Format, flat.NumChannels);
    SHOW(cuArray3DGetDescriptor(&deep, array));
    printf("%zu %zu %zu %x %u %u\n", deep.Width, deep.Height, deep.Depth, deep.Format,
           deep.NumChannels, deep.Flags);
    SHOW(cuArrayGetDescriptor(NULL, array));
    SHOW(cuArrayGetDescriptor(&flat, NULL));
    SHOW(cuArrayDestroy(array));
    SHOW(cuArrayDestroy(NULL));
    flat.NumChannels = 3;
    SHOW(cuArrayCreate(&other, &flat));
    flat.NumChannels = 1;
    flat.Format = (CUarray_format)0x55;
    SHOW(cuArrayCreate(&other, &flat));
    flat.Format = CU_AD_FORMAT_HALF;
    flat.NumChannels = 4;
    flat.Width = 0;
    SHOW(cuArrayCreate(&other, &flat));
    flat.Width = 3;
    flat.Height = 0;
    SHOW(cuArrayCreate(&other, &flat));
    SHOW(cuArray3DGetDescriptor(&deep, other));
    printf("%zu %zu %zu %x %u %u\n", deep.Width, deep.Height, deep.Depth, deep.Format,
           deep.NumChannels, deep.Flags);
    SHOW(cuArrayDestroy(other));
    deep.Width = W;
    deep.Height = H;
    deep.Depth = D;
    deep.Format = CU_AD_FORMAT_SIGNED_INT16;
    deep.NumChannels = 2;
    deep.Flags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST;
    SHOW(cuArray3DCreate(&other, &deep));
    SHOW(cuArrayGetDescriptor(&flat, other));
    printf("%zu %zu %x %u\n", flat.Width, flat.Height, flat.Format, flat.NumChannels);
    SHOW(cuArray3DGetDescriptor(&deep, other));
    printf("%zu %zu %zu %x %u %u\n", deep.Width, deep.Height, deep.Depth, deep.Format,
           deep.NumChannels, deep.Flags);
    SHOW(cuArrayDestroy(other));
    deep.Flags = 0x10000;
    SHOW(cuArray3DCreate(&other, &deep));
}

static void levels()
{
    CUmipmappedArray levels;
    CUarray level;
    CUDA_ARRAY3D_DESCRIPTOR deep = {};
    deep.Width = W;
    deep.Height = H;
    deep.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    deep.NumChannels = 4;
    SHOW(cuMipmappedArrayCreate(&levels, &deep, 3));
    SHOW(cuMipmappedArrayGetLevel(&level, levels, 1));
    SHOW(cuArray3DGetDescriptor(&deep, level));
    printf("%zu %zu %zu %x %u\n", deep.Width, deep.Height, deep.Depth, deep.Format,
           deep.NumChannels);
    SHOW(cuMipmappedArrayGetLevel(&level, levels, 9));
    SHOW(cuMipmappedArrayGetLevel(NULL, levels, 0));
    SHOW(cuMipmappedArrayDestroy(levels));
    SHOW(cuMipmappedArrayDestroy(levels));
    SHOW(cuMipmappedArrayGetLevel(&level, levels, 0));
    SHOW(cuMipmappedArrayDestroy(NULL));
}

// From host memory into the rows 1 and 2 of an array, from the bytes 4 and on, and back.
static void copies_of_rows(CUarray array, CUdeviceptr device)
{
    CUDA_MEMCPY2D in = {}, out = {};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = host;
    in.srcPitch = sizeof host[0][0];
    in.srcXInBytes = sizeof(float);
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = array;
    in.dstXInBytes = sizeof(float);
    in.dstY = 1;
    in.WidthInBytes = 3 * sizeof(float);
    in.Height = 2;
    SHOW(cuMemcpy2D(&in));
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.srcXInBytes = sizeof(float);
    out.srcY = 1;
    out.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    out.dstDevice = device;
    out.dstPitch = 4 * sizeof(float);
    out.WidthInBytes = 3 * sizeof(float);
    out.Height = 2;
    SHOW(cuMemsetD8(device, 0, 8 * sizeof(float)));
    SHOW(cuMemcpy2DAsync(&out, NULL));
    SHOW(cuMemcpyDtoH(back, device, 8 * sizeof(float)));
    show("rows", &back[0][0][0], 8);
    out.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    out.srcDevice = device;
    out.srcXInBytes = out.srcY = 0;
    out.srcPitch = 4 * sizeof(float);
    out.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    out.dstArray = array;
    SHOW(cuMemcpy2DUnaligned(&out));
    out.WidthInBytes = 6;
    SHOW(cuMemcpy2D(&out));
    in.dstXInBytes = 6 * sizeof(float);
    SHOW(cuMemcpy2D(&in));
    in.dstXInBytes = 0;
    in.dstY = 3;
    SHOW(cuMemcpy2D(&in));
    in.dstY = 0;
    in.srcPitch = 4;
    SHOW(cuMemcpy2D(&in));
    in.srcPitch = sizeof host[0][0];
    in.dstArray = NULL;
    SHOW(cuMemcpy2D(&in));
    in.dstMemoryType = (CUmemorytype)9;
    SHOW(cuMemcpy2D(&in));
    SHOW(cuMemcpy2D(NULL));
}

static void copies_of_boxes(CUdeviceptr device)
{
    CUarray array, second;
    CUDA_ARRAY3D_DESCRIPTOR deep = {};
    deep.Width = W;
    deep.Height = H;
    deep.Depth = D;
    deep.Format = CU_AD_FORMAT_FLOAT;
    deep.NumChannels = 1;
    SHOW(cuArray3DCreate(&array, &deep));
    SHOW(cuArray3DCreate(&second, &deep));
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.srcPitch = sizeof host[0][0];
    copy.srcHeight = H;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = W * sizeof(float);
    copy.Height = H;
    copy.Depth = D;
    SHOW(cuMemcpy3D(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.dstArray = second;
    SHOW(cuMemcpy3D(&copy));
    copy.srcArray = second;
    copy.srcXInBytes = 2 * sizeof(float);
    copy.srcY = 1;
    copy.srcZ = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = device;
    copy.dstXInBytes = sizeof(float);
    copy.dstZ = 1;
    copy.dstPitch = 4 * sizeof(float);
    copy.dstHeight = 3;
    copy.WidthInBytes = 2 * sizeof(float);
    copy.Height = 2;
    copy.Depth = 2;
    SHOW(cuMemsetD8(device, 0, 36 * sizeof(float)));
    SHOW(cuMemcpy3DAsync(&copy, NULL));
    SHOW(cuMemcpyDtoH(back, device, 36 * sizeof(float)));
    show("boxes", &back[0][0][0], 36);
    copy.Depth = 3;
    SHOW(cuMemcpy3D(&copy));
    copy.Depth = 2;
    copy.srcLOD = 1;
    SHOW(cuMemcpy3D(&copy));
    SHOW(cuArrayDestroy(array));
    SHOW(cuArrayDestroy(second));
}

static void flat_copies(CUdeviceptr device)
{
    CUarray line, other;
    CUDA_ARRAY_DESCRIPTOR flat = {};
    flat.Width = W;
    flat.Format = CU_AD_FORMAT_FLOAT;
    flat.NumChannels = 1;
    SHOW(cuArrayCreate(&line, &flat));
    SHOW(cuArrayCreate(&other, &flat));
    SHOW(cuMemcpyHtoA(line, 0, host[1][1], W * sizeof(float)));
    SHOW(cuMemcpyHtoA(line, 8, host, 8));
    SHOW(cuMemcpyAtoA(other, 0, line, 4, 7 * sizeof(float)));
    SHOW(cuMemcpyAtoD(device, other, 0, 4 * sizeof(float)));
    SHOW(cuMemcpyDtoA(other, 4 * sizeof(float), device, 4 * sizeof(float)));
    memset(back, 0, sizeof back);
    SHOW(cuMemcpyAtoH(back, other, 0, W * sizeof(float)));
    show("line", &back[0][0][0], W);
    SHOW(cuMemcpyHtoAAsync(other, 4, host, 4, NULL));
    SHOW(cuMemcpyAtoHAsync(back, other, 4, 4, NULL));
    SHOW(cuCtxSynchronize());
    show("async", &back[0][0][0], 1);
    SHOW(cuMemcpyAtoH(back, other, 4, W * sizeof(float)));
    SHOW(cuMemcpyHtoA(NULL, 0, host, 4));
    SHOW(cuArrayDestroy(line));
    SHOW(cuArrayDestroy(other));
}

static void textures(CUarray array, CUdeviceptr device)
{
    CUtexObject texture = 0, line = 0;
    CUDA_RESOURCE_DESC resource = {}, got_resource = {};
    CUDA_TEXTURE_DESC how = {}, got_how = {};
    CUDA_RESOURCE_VIEW_DESC view = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    how.addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP;
    how.addressMode[1] = CU_TR_ADDRESS_MODE_WRAP;
    how.addressMode[2] = CU_TR_ADDRESS_MODE_MIRROR;
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    SHOW(cuTexObjectCreate(NULL, &resource, &how, NULL));
    SHOW(cuTexObjectCreate(&texture, NULL, &how, NULL));
    SHOW(cuTexObjectCreate(&texture, &resource, NULL, NULL));
    SHOW(cuTexObjectCreate(&texture, &resource, &how, NULL));
    SHOW(cuTexObjectGetResourceDesc(&got_resource, texture));
    printf("%d %d\n", got_resource.resType, got_resource.res.array.hArray == array);
    SHOW(cuTexObjectGetTextureDesc(&got_how, texture));
    printf("%d %d %d %d %u\n", got_how.addressMode[0], got_how.addressMode[1],
           got_how.addressMode[2], got_how.filterMode, got_how.flags);
    SHOW(cuTexObjectGetResourceViewDesc(&view, texture));
    void *args[] = {&texture, &device};
    SHOW(cuLaunchKernel(kernel(sample), 1, 1, 1, W, H, 1, 0, NULL, args, NULL));
    SHOW(cuMemcpyDtoH(back, device, W * H * sizeof(float)));
    show("sampled", &back[0][0][0], W * H);
    SHOW(cuTexObjectDestroy(texture));

    int integers[4] = {5, -6, 7, -8};
    SHOW(cuMemcpyHtoD(device, integers, sizeof integers));
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = device;
    resource.res.linear.format = CU_AD_FORMAT_SIGNED_INT32;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = sizeof integers;
    memset(&how, 0, sizeof how);
    how.flags = CU_TRSF_READ_AS_INTEGER;
    SHOW(cuTexObjectCreate(&line, &resource, &how, NULL));
    SHOW(cuTexObjectGetResourceDesc(&got_resource, line));
    printf("%d %d %x %u %zu\n", got_resource.resType, got_resource.res.linear.devPtr == device,
           got_resource.res.linear.format, got_resource.res.linear.numChannels,
           got_resource.res.linear.sizeInBytes);
    CUdeviceptr out = device + 64;
    void *fetched[] = {&line, &out};
    SHOW(cuLaunchKernel(kernel(fetch), 1, 1, 1, 4, 1, 1, 0, NULL, fetched, NULL));
    SHOW(cuMemcpyDtoH(integers, out, sizeof integers));
    printf("%d %d %d %d\n", integers[0], integers[1], integers[2], integers[3]);
    SHOW(cuTexObjectDestroy(line));
    resource.res.linear.numChannels = 3;
    SHOW(cuTexObjectCreate(&line, &resource, &how, NULL));
    resource.res.linear.numChannels = 1;
    resource.flags = 1;
    SHOW(cuTexObjectCreate(&line, &resource, &how, NULL));
    resource.flags = 0;
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = NULL;
    SHOW(cuTexObjectCreate(&line, &resource, &how, NULL));
    SHOW(cuTexObjectDestroy(0));
    SHOW(cuTexObjectGetResourceDesc(&got_resource, 0)); // an H100's driver faults
}

static void surfaces(CUarray array)
{
    CUsurfObject surface = 0;
    CUDA_RESOURCE_DESC resource = {}, got = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    SHOW(cuSurfObjectCreate(NULL, &resource));
    SHOW(cuSurfObjectCreate(&surface, NULL));
    SHOW(cuSurfObjectCreate(&surface, &resource));
    SHOW(cuSurfObjectGetResourceDesc(&got, surface));
    printf("%d %d\n", got.resType, got.res.array.hArray == array);
    void *args[] = {&surface};
    SHOW(cuLaunchKernel(kernel(twice), 1, 1, 1, W, H, 1, 0, NULL, args, NULL));
    CUDA_MEMCPY2D out = {};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = back;
    out.dstPitch = sizeof back[0][0];
    out.WidthInBytes = sizeof back[0][0];
    out.Height = H;
    SHOW(cuMemcpy2D(&out));
    show("doubled", &back[0][0][0], W * H);
    SHOW(cuSurfObjectDestroy(surface));
    SHOW(cuSurfObjectDestroy(0));
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    SHOW(cuSurfObjectCreate(&surface, &resource));
}

// A normalized format says how many channels there are, and is never read as integers.
static void normalized_formats(CUdeviceptr device)
{
    CUarray array;
    CUtexObject texture;
    CUDA_ARRAY_DESCRIPTOR flat = {W, H, CU_AD_FORMAT_UNORM_INT8X1, 2};
    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC how = {};
    unsigned char bytes[H][W];
    memset(bytes, 51, sizeof bytes);
    SHOW(cuArrayCreate(&array, &flat));
    flat.NumChannels = 1;
    SHOW(cuArrayCreate(&array, &flat));
    SHOW(cuArrayGetDescriptor(&flat, array));
    printf("%#x %u\n", flat.Format, flat.NumChannels);
    SHOW(cuMemcpyHtoA(array, 0, bytes, W));
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    how.flags = CU_TRSF_READ_AS_INTEGER;
    SHOW(cuTexObjectCreate(&texture, &resource, &how, NULL));
    void *args[] = {&texture, &device};
    SHOW(cuLaunchKernel(kernel(sample), 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    SHOW(cuMemcpyDtoH(back, device, sizeof(float)));
    show("sampled", &back[0][0][0], 1);
    SHOW(cuTexObjectDestroy(texture));
    SHOW(cuArrayDestroy(array));
    for (unsigned format : {0x50u, 0x91u, 0xb0u, 0x4u}) {
        flat.Format = (CUarray_format)format;
        flat.NumChannels = 4;
        SHOW(cuArrayCreate(&array, &flat));
    }
}

int main()
{
    setbuf(stdout, NULL);
    for (int i = 0; i < D * H * W; i++) {
        (&host[0][0][0])[i] = (float)(i + 1);
    }
    CUcontext context;
    CUarray array;
    CUdeviceptr device;
    CUctxCreateParams none = {};
    CUDA_ARRAY_DESCRIPTOR early = {};
    SHOW(cuInit(0));
    SHOW(cuArrayCreate(&array, &early));
    SHOW(cuCtxCreate(&context, &none, 0, 0));
    SHOW(cuMemAlloc(&device, 4096));
    descriptions();
    levels();
    CUDA_ARRAY3D_DESCRIPTOR flat = {};
    flat.Width = W;
    flat.Height = H;
    flat.Format = CU_AD_FORMAT_FLOAT;
    flat.NumChannels = 1;
    flat.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    SHOW(cuArray3DCreate(&array, &flat));
    CUDA_MEMCPY2D in = {};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = host;
    in.srcPitch = sizeof host[0][0];
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = array;
    in.WidthInBytes = sizeof host[0][0];
    in.Height = H;
    SHOW(cuMemcpy2D(&in));
    textures(array, device);
    surfaces(array);
    copies_of_rows(array, device);
    copies_of_boxes(device);
    flat_copies(device);
    SHOW(cuArrayDestroy(array));
    normalized_formats(device);
    SHOW(cuMemFree(device));
    SHOW(cuCtxDestroy(context));
}
