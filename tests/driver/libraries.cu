// Libraries of device code, which belong to no context, in the driver's and the runtime's API. The
// argument is a file with the code of library.cu. An H200 gave the same, but for a CUkernel in
// cuFuncGetAttribute, which it refuses.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "show.h"

#define SHOWRT(call) printf("%s -> %s\n", #call, cudaGetErrorName(call))

static std::vector<char> image;

static void read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char buffer[4096];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
        image.insert(image.end(), buffer, buffer + n);
    }
    fclose(file);
    image.push_back(0);
}

__global__ void own(int *p)
{
    *p = 5;
}

static void driver(const char *file)
{
    puts("-- the driver API");
    CUlibrary library, second, none;
    CUkernel add, scale, fill, kernels[8];
    unsigned count = 99;
    SHOW(cuLibraryLoadData(&none, NULL, NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryLoadData(NULL, image.data(), NULL, NULL, 0, NULL, NULL, 0));
    CUmodule of_none;
    SHOW(cuLibraryLoadData(&none, "not code for a device", NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryGetKernelCount(&count, none));
    printf("%u\n", count);
    SHOW(cuLibraryGetKernel(&add, none, "add"));
    SHOW(cuLibraryGetModule(&of_none, none));
    cudaKernel_t of_program;
    SHOW((CUresult)cudaGetKernel(&of_program, (const void *)own));
    SHOW(cuKernelGetLibrary(&second, (CUkernel)of_program));
    SHOW(cuLibraryLoadData(&second, "\177ELF", NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryUnload(second));
    SHOW(cuLibraryUnload(none));
    SHOW(cuLibraryLoadData(&none, "", NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryLoadFromFile(&none, "/no/such/file", NULL, NULL, 0, NULL, NULL, 0));
    CUlibraryOption preserved = CU_LIBRARY_BINARY_IS_PRESERVED;
    void *values[] = {(void *)1};
    SHOW(cuLibraryLoadFromFile(&none, file, NULL, NULL, 0, &preserved, values, 1));
    SHOW(cuLibraryLoadData(&second, image.data(), NULL, NULL, 0, &preserved, values, 1));
    CUlibraryOption wrong = (CUlibraryOption)7;
    SHOW(cuLibraryLoadData(&none, image.data(), NULL, NULL, 0, &wrong, values, 1));
    SHOW(cuLibraryLoadFromFile(&library, file, NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryGetKernelCount(&count, library));
    printf("%u\n", count);
    SHOW(cuLibraryEnumerateKernels(kernels, 8, library));
    std::vector<std::string> names;
    for (unsigned i = 0; i < count; i++) {
        const char *name;
        cuKernelGetName(&name, kernels[i]);
        names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    for (auto &name : names) {
        printf("%s\n", name.c_str());
    }
    SHOW(cuLibraryEnumerateKernels(kernels, 1, library));
    SHOW(cuLibraryEnumerateKernels(kernels, 0, library));
    SHOW(cuLibraryEnumerateKernels(NULL, 1, library));
    SHOW(cuLibraryGetKernelCount(NULL, library));
    SHOW(cuLibraryGetKernel(&add, library, "add"));
    SHOW(cuLibraryGetKernel(&scale, library, "scale"));
    SHOW(cuLibraryGetKernel(&fill, library, "fill"));
    SHOW(cuLibraryGetKernel(&fill, library, "nothing"));
    SHOW(cuLibraryGetKernel(&fill, library, NULL));
    SHOW(cuLibraryGetKernel(NULL, library, "add"));
    SHOW(cuLibraryGetKernel(&fill, library, "counter"));
    CUdeviceptr p = 0;
    size_t bytes = 0;
    SHOW(cuLibraryGetGlobal(&p, &bytes, library, "counter"));
    printf("%d %zu\n", p != 0, bytes);
    SHOW(cuLibraryGetGlobal(NULL, &bytes, library, "factor"));
    printf("%zu\n", bytes);
    SHOW(cuLibraryGetGlobal(&p, NULL, library, "factor"));
    SHOW(cuLibraryGetGlobal(NULL, NULL, library, "factor"));
    SHOW(cuLibraryGetGlobal(&p, &bytes, library, "nothing"));
    SHOW(cuLibraryGetGlobal(&p, &bytes, library, "add"));
    SHOW(cuLibraryGetGlobal(&p, &bytes, library, "managed"));
    SHOW(cuLibraryGetGlobal(&p, &bytes, library, NULL));
    SHOW(cuLibraryGetManaged(&p, &bytes, library, "managed"));
    printf("%zu\n", bytes);
    SHOW(cuLibraryGetManaged(&p, &bytes, library, "counter"));
    SHOW(cuLibraryGetManaged(&p, &bytes, library, "nothing"));
    SHOW(cuLibraryGetManaged(NULL, NULL, library, "managed"));
    void *unified;
    SHOW(cuLibraryGetUnifiedFunction(&unified, library, "add"));
    SHOW(cuLibraryGetUnifiedFunction(&unified, library, "nothing"));
    CUmodule module;
    CUfunction function, from_module;
    CUlibrary of_kernel;
    SHOW(cuLibraryGetModule(&module, library));
    SHOW(cuKernelGetFunction(&function, add));
    SHOW(cuModuleGetFunction(&from_module, module, "add"));
    printf("%d\n", function == from_module);
    SHOW(cuModuleUnload(module));
    SHOW(cuKernelGetLibrary(&of_kernel, add));
    printf("%d\n", of_kernel == library);
    const char *name;
    SHOW(cuFuncGetName(&name, function));
    printf("%s\n", name);
    size_t offset, size;
    for (size_t i = 0; i < 5; i++) {
        SHOW(cuKernelGetParamInfo(scale, i, &offset, &size));
        printf("%zu %zu\n", offset, size);
    }
    SHOW(cuKernelGetParamInfo(scale, 1, &offset, NULL));
    SHOW(cuKernelGetParamInfo(scale, 1, NULL, &size));
    int value = -1;
    SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add, 0));
    printf("%d\n", value);
    SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add, 77));
    SHOW(cuKernelGetAttribute(&value, (CUfunction_attribute)99, add, 0));
    SHOW(cuKernelGetAttribute(NULL, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add, 0));
    SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, add, 0));
    SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, add, 0));
    printf("%d\n", value);
    SHOW(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    printf("%d\n", value);
    SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 65536, add, 0));
    SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30, add, 0));
    SHOW(cuKernelSetCacheConfig(add, CU_FUNC_CACHE_PREFER_L1, 0));
    SHOW(cuKernelSetCacheConfig(add, CU_FUNC_CACHE_PREFER_L1, 77));
    CUdeviceptr data;
    int n = 10, out[2] = {};
    SHOW(cuMemAlloc(&data, 4096));
    SHOW(cuMemsetD8(data, 0, 4096));
    void *args[] = {&data, &n};
    SHOW(cuLaunchKernel((CUfunction)add, 1, 1, 1, 2, 1, 1, 0, NULL, args, NULL));
    SHOW(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    SHOW(cuMemcpyDtoH(out, data, 8));
    printf("%d %d\n", out[0], out[1]);
    int five = 5;
    SHOW(cuLibraryGetGlobal(&p, NULL, library, "counter"));
    SHOW(cuMemcpyHtoD(p, &five, 4));
    CUkernel add2;
    SHOW(cuLibraryGetKernel(&add2, second, "add"));
    SHOW(cuMemsetD8(data, 0, 4096));
    SHOW(cuLaunchKernel((CUfunction)add, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    SHOW(cuMemcpyDtoH(out, data, 4));
    printf("%d\n", out[0]);
    SHOW(cuMemsetD8(data, 0, 4096));
    SHOW(cuLaunchKernel((CUfunction)add2, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    SHOW(cuMemcpyDtoH(out, data, 4));
    printf("%d\n", out[0]);
    SHOW(cuLibraryGetKernel(&fill, library, "fill"));
    SHOW(cuLaunchKernel((CUfunction)fill, 1, 1, 1, 4, 1, 1, 0, NULL, NULL, NULL));
    SHOW(cuCtxSynchronize());
    SHOW(cuLibraryGetManaged(&p, &bytes, library, "managed"));
    printf("%d\n", ((int *)p)[3]);
    int blocks;
    SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (CUfunction)add, 1024, 0));
    SHOW(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, (CUfunction)add));
    CUDA_KERNEL_NODE_PARAMS node = {};
    CUgraph graph;
    CUgraphNode added;
    CUgraphExec exec;
    SHOW(cuGraphCreate(&graph, 0));
    node.kern = add;
    node.gridDimX = node.gridDimY = node.gridDimZ = node.blockDimX = node.blockDimY = node.blockDimZ = 1;
    node.kernelParams = args;
    SHOW(cuGraphAddKernelNode(&added, graph, NULL, 0, &node));
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuMemcpyDtoH(out, data, 4));
    printf("%d\n", out[0]);
    CUDA_KERNEL_NODE_PARAMS got = {};
    SHOW(cuGraphKernelNodeGetParams(added, &got));
    printf("%d %d\n", got.func == function || got.func == (CUfunction)add, got.kern == add);
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(graph));
    CUmodule of_function;
    SHOW(cuFuncGetModule(&of_function, function));
    printf("%d\n", of_function == module);
    SHOW(cuFuncGetParamInfo(function, 1, &offset, &size));
    printf("%zu %zu\n", offset, size);
    SHOW(cuFuncGetParamInfo(function, 2, &offset, &size));
    CUfunctionLoadingState state;
    SHOW(cuFuncIsLoaded(&state, function));
    SHOW(cuFuncLoad(function));
    SHOW(cuFuncIsLoaded(&state, function));
    printf("%d\n", state);
    CUfunction functions[8] = {};
    SHOW(cuModuleGetFunctionCount(&count, module));
    printf("%u\n", count);
    SHOW(cuModuleEnumerateFunctions(functions, 8, module));
    printf("%d %d\n", functions[2] != NULL, functions[3] == NULL);
    SHOW(cuModuleEnumerateFunctions(NULL, 8, module));
    // No handle is an invalid value to these, not an invalid handle.
    SHOW(cuModuleEnumerateFunctions(functions, 8, NULL));
    SHOW(cuModuleGetFunctionCount(&count, NULL));
    SHOW(cuModuleGetFunctionCount(NULL, NULL));
    SHOW(cuFuncGetName(&name, NULL));
    SHOW(cuFuncGetModule(&of_function, NULL));
    SHOW(cuFuncGetParamInfo(NULL, 0, &offset, &size));
    SHOW(cuKernelGetName(&name, NULL));
    SHOW(cuKernelGetParamInfo(NULL, 0, &offset, &size));
    SHOW(cuLibraryUnload(second));
    SHOW(cuLibraryUnload(library));
    SHOW(cuLibraryUnload(NULL));
    SHOW(cuLibraryGetKernel(&add, NULL, "add"));
    SHOW(cuLibraryGetKernelCount(&count, NULL));
    SHOW(cuKernelGetFunction(&function, NULL));
}

static void runtime(const char *file)
{
    puts("-- the runtime API");
    cudaLibrary_t library, none;
    cudaKernel_t add, kernels[8], mine;
    unsigned count;
    SHOWRT(cudaLibraryLoadData(&none, NULL, NULL, NULL, 0, NULL, NULL, 0));
    SHOWRT(cudaLibraryLoadData(NULL, image.data(), NULL, NULL, 0, NULL, NULL, 0));
    SHOWRT(cudaLibraryLoadData(&none, "not code for a device", NULL, NULL, 0, NULL, NULL, 0));
    SHOWRT(cudaLibraryLoadFromFile(&none, "/no/such/file", NULL, NULL, 0, NULL, NULL, 0));
    SHOWRT(cudaLibraryLoadFromFile(&library, file, NULL, NULL, 0, NULL, NULL, 0));
    SHOWRT(cudaLibraryUnload(library));
    SHOWRT(cudaLibraryLoadData(&library, image.data(), NULL, NULL, 0, NULL, NULL, 0));
    SHOWRT(cudaLibraryGetKernelCount(&count, library));
    printf("%u\n", count);
    SHOWRT(cudaLibraryEnumerateKernels(kernels, 8, library));
    SHOWRT(cudaLibraryGetKernel(&add, library, "add"));
    SHOWRT(cudaLibraryGetKernel(&add, library, "nothing"));
    void *p;
    size_t bytes;
    SHOWRT(cudaLibraryGetGlobal(&p, &bytes, library, "counter"));
    printf("%zu\n", bytes);
    SHOWRT(cudaLibraryGetGlobal(&p, &bytes, library, "nothing"));
    SHOWRT(cudaLibraryGetManaged(&p, &bytes, library, "managed"));
    printf("%zu\n", bytes);
    SHOWRT(cudaLibraryGetManaged(&p, &bytes, library, "counter"));
    void *unified;
    SHOWRT(cudaLibraryGetUnifiedFunction(&unified, library, "add"));
    SHOWRT(cudaKernelSetAttributeForDevice(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0));
    SHOWRT(cudaKernelSetAttributeForDevice(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 77));
    SHOWRT(cudaKernelSetAttributeForDevice(add, (cudaFuncAttribute)99, 65536, 0));
    int *data, n = 10, out;
    SHOWRT(cudaMalloc(&data, 64));
    SHOWRT(cudaMemset(data, 0, 64));
    void *args[] = {&data, &n};
    SHOWRT(cudaLaunchKernel((const void *)add, 1, 1, args, 0, 0));
    SHOWRT(cudaMemcpy(&out, data, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", out);
    cudaFuncAttributes attributes;
    SHOWRT(cudaFuncGetAttributes(&attributes, (const void *)add));
    int blocks;
    SHOWRT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)add, 128, 0));
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    SHOWRT(cudaLaunchKernelExC(&config, (const void *)add, args));
    SHOWRT(cudaGetKernel(&mine, (const void *)own));
    void *own_args[] = {&data};
    SHOWRT(cudaLaunchKernel((const void *)mine, 1, 1, own_args, 0, 0));
    SHOWRT(cudaMemcpy(&out, data, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", out);
    SHOWRT(cudaGetKernel(&mine, (const void *)&out));
    SHOWRT(cudaGetKernel(&mine, NULL));
    CUfunction function;
    SHOW(cuKernelGetFunction(&function, (CUkernel)add));
    SHOWRT(cudaLibraryUnload(library));
    SHOWRT(cudaGetLastError());
}

int main(int, char **argv)
{
    read_file(argv[1]);
    CUlibrary early;
    CUkernel kernel;
    CUfunction function;
    CUmodule module;
    CUcontext context;
    SHOW(cuLibraryLoadData(&early, image.data(), NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuInit(0));
    SHOW(cuLibraryLoadData(&early, image.data(), NULL, NULL, 0, NULL, NULL, 0));
    SHOW(cuLibraryGetKernel(&kernel, early, "add"));
    SHOW(cuKernelGetFunction(&function, kernel));
    SHOW(cuLibraryGetModule(&module, early));
    CUdeviceptr p;
    SHOW(cuLibraryGetGlobal(&p, NULL, early, "counter"));
    SHOW(cuLibraryGetManaged(&p, NULL, early, "managed"));
    int value;
    SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    SHOW(cuLibraryUnload(early));
    SHOW(cuDevicePrimaryCtxRetain(&context, 0));
    SHOW(cuCtxSetCurrent(context));
    driver(argv[1]);
    runtime(argv[1]);
}
