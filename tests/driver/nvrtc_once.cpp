// Compiles one kernel at run time and prints what it computes, or the log. Arguments: options.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <vector>

int main(int argc, char **argv)
{
    static const char source[] = "#include \"value.h\"\n"
                                 "extern \"C\" __global__ void k(int *p) { *p = VALUE; }\n";
    nvrtcProgram program;
    nvrtcCreateProgram(&program, source, "k.cu", 0, nullptr, nullptr);
    const nvrtcResult result = nvrtcCompileProgram(program, argc - 1, argv + 1);
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::vector<char> text(size);
    nvrtcGetProgramLog(program, text.data());
    printf("%s", text.data());
    if (result != NVRTC_SUCCESS) {
        printf("%s\n", nvrtcGetErrorString(result));
        return 1;
    }
    nvrtcGetPTXSize(program, &size);
    text.resize(size);
    nvrtcGetPTX(program, text.data());
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr p;
    int value = 0;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    cuModuleLoadData(&module, text.data());
    cuModuleGetFunction(&kernel, module, "k");
    cuMemAlloc(&p, sizeof value);
    void *args[] = {&p};
    cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr);
    cuMemcpyDtoH(&value, p, sizeof value);
    printf("%d\n", value);
    nvrtcDestroyProgram(&program);
}
