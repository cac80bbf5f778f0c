// Run-time compilation: programs, options, logs, names, images, links.
#define NVRTC_GET_TYPE_NAME 1
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define SHOW(call) printf("%s -> %s\n", #call, nvrtcGetErrorString(call))
#define CU(call)                                                                                   \
    do {                                                                                           \
        const CUresult result = (call);                                                            \
        const char *name = "?";                                                                    \
        cuGetErrorName(result, &name);                                                             \
        printf("%s -> %s\n", #call, name);                                                         \
    } while (0)

using Options = std::vector<const char *>;

static std::string log_of(nvrtcProgram program)
{
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, 'x');
    nvrtcGetProgramLog(program, &log[0]);
    log.resize(size - 1);
    return log;
}

// The PTX as programs handle it: a text.
static std::string ptx_of(nvrtcProgram program)
{
    size_t size = 0;
    nvrtcGetPTXSize(program, &size);
    std::vector<char> ptx(size);
    nvrtcGetPTX(program, ptx.data());
    return ptx.data();
}

static std::vector<char> cubin_of(nvrtcProgram program)
{
    size_t size = 0;
    nvrtcGetCUBINSize(program, &size);
    std::vector<char> cubin(size);
    nvrtcGetCUBIN(program, cubin.data());
    return cubin;
}

static nvrtcProgram compile(const char *source, const Options &options, const char *name = "k.cu")
{
    nvrtcProgram program;
    nvrtcCreateProgram(&program, source, name, 0, nullptr, nullptr);
    const nvrtcResult result =
        nvrtcCompileProgram(program, (int)options.size(), options.data());
    printf("%s%s\n%s", nvrtcGetErrorString(result), log_of(program).empty() ? "" : ", log:",
           log_of(program).c_str());
    return program;
}

// Compiles only for the result and the log.
static void try_out(const char *source, const Options &options)
{
    nvrtcProgram program = compile(source, options);
    nvrtcDestroyProgram(&program);
}

static int run(CUmodule module, const char *name, int value)
{
    CUfunction kernel;
    CUdeviceptr number;
    if (cuModuleGetFunction(&kernel, module, name) != CUDA_SUCCESS) {
        return -1;
    }
    cuMemAlloc(&number, sizeof value);
    cuMemcpyHtoD(number, &value, sizeof value);
    void *args[] = {&number};
    if (cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr) != CUDA_SUCCESS) {
        value = -2;
    }
    cuMemcpyDtoH(&value, number, sizeof value);
    cuMemFree(number);
    return value;
}

static int load_and_run(const void *image, const char *name, int value)
{
    CUmodule module;
    const CUresult result = cuModuleLoadData(&module, image);
    if (result != CUDA_SUCCESS) {
        return -(int)result;
    }
    const int got = run(module, name, value);
    cuModuleUnload(module);
    return got;
}

static void arguments()
{
    puts("== arguments");
    nvrtcProgram program = nullptr;
    const char *const headers[] = {"\n"};
    int major = 0, minor = 0, count = 0;
    SHOW(nvrtcVersion(&major, &minor));
    SHOW(nvrtcVersion(nullptr, &minor));
    printf("%d.%d %d\n", major, minor, major * 1000 + minor * 10 == CUDA_VERSION);
    SHOW(nvrtcGetNumSupportedArchs(&count));
    std::vector<int> archs(count);
    SHOW(nvrtcGetSupportedArchs(archs.data()));
    printf("from %d to %d\n", archs.front(), archs.back());
    SHOW(nvrtcCreateProgram(nullptr, "", "k.cu", 0, nullptr, nullptr));
    SHOW(nvrtcCreateProgram(&program, nullptr, "k.cu", 0, nullptr, nullptr));
    SHOW(nvrtcCreateProgram(&program, "", "k.cu", 1, headers, nullptr));
    SHOW(nvrtcCreateProgram(&program, "", "k.cu", -1, nullptr, nullptr));
    SHOW(nvrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr));
    size_t size = 9;
    SHOW(nvrtcGetPTXSize(program, &size));
    printf("%zu\n", size);
    SHOW(nvrtcGetPTXSize(nullptr, &size));
    SHOW(nvrtcGetPTX(program, nullptr));
    SHOW(nvrtcGetLoweredName(program, "k", nullptr));
    const char *name;
    SHOW(nvrtcGetLoweredName(program, "k", &name));
    SHOW(nvrtcAddNameExpression(program, nullptr));
    SHOW(nvrtcCompileProgram(program, 1, nullptr));
    SHOW(nvrtcDestroyProgram(&program));
    printf("%d\n", program == nullptr);
    SHOW(nvrtcDestroyProgram(&program));
    printf("%s\n", nvrtcGetErrorString((nvrtcResult)99));
}

static void options()
{
    puts("== options");
    const char *empty = "";
    for (const char *option :
         {"-foo", "-O3", "foo", "--std=c++99", "-arch=sm_12", "-arch=sm_90x", "--fmad=maybe",
          "-rdc=1", "--optix-ir", "-G=1", "-arch"}) {
        try_out(empty, {option});
    }
    const char *defined = "#if A != 2 || defined B || !defined C || __CUDA_ARCH__ != 800 || "
                          "__cplusplus != 201402L\n#error wrong\n#endif\n";
    try_out(defined, {"--gpu-architecture", "compute_80", "-D", "A=2", "-DB -UB", "-DB", "-UB",
                      "--define-macro=C", "-std=c++14", "--fmad=false", "-use_fast_math",
                      "-extra-device-vectorization", "--maxrregcount=32", "-lineinfo", "-w"});
}

static void logs()
{
    puts("== logs");
    try_out("__global__ void k(int *p)\n{\n    *p = q;\n}\n", {});
    try_out("#line 7 \"other.cu\"\nint x = y;\n", {});
    try_out("#include <stdio.h>\n", {});
    try_out("std::string s;\nuint32_t u;\n", {});
    try_out("int f() { return 1; }\n__global__ void k(int *p) { *p = f(); }\n", {});
    try_out("__global__ void c() {}\n__global__ void k() { c<<<1, 1>>>(); }\n", {});
    try_out("#warning careful\n", {});
}

static const char built_in[] =
    "static_assert(__CUDACC_RTC__ == 1 && sizeof(size_t) == 8, \"\");\n"
    "extern \"C\" __global__ void k(int *p)\n"
    "{\n"
    "    __shared__ int s[2];\n"
    "    s[threadIdx.x] = *p;\n"
    "    __syncthreads();\n"
    "    int a = (int)(sqrt(16.0f) + pow(2.0, 3) + fminf(1, 2) + max(3, 4)), b = a;\n"
    "    std::initializer_list<int> list = {1, 2, 3};\n"
    "    int *made = new (&b) int(std::move(a));\n"
    "    memcpy(&a, made, sizeof a);\n"
    "    assert(a == 17);\n"
    "    *p = s[0] + a + (int)list.size() + atomicAdd(p, 0) * 0 + isnan(0.0f);\n"
    "}\n";

static void images()
{
    puts("== images");
    nvrtcProgram program = compile(built_in, {"-arch=sm_90"});
    const std::string ptx = ptx_of(program);
    size_t size = 0;
    nvrtcGetPTXSize(program, &size);
    printf("PTX is text: %d, with %d%d%d\n", size == ptx.size() + 1,
           ptx.find("\n.version ") != ptx.npos, ptx.find("\n.target sm_90\n") != ptx.npos,
           ptx.find(".visible .entry k(") != ptx.npos);
    printf("PTX: %d, CUBIN: %d\n", load_and_run(ptx.c_str(), "k", 100),
           load_and_run(cubin_of(program).data(), "k", 200));
    size_t ltoir = 9;
    nvrtcGetLTOIRSize(program, &ltoir);
    printf("LTO-IR: %zu\n", ltoir);
    nvrtcDestroyProgram(&program);
    program = compile(built_in, {"-arch=compute_90", "-dlto"});
    nvrtcGetPTXSize(program, &size);
    nvrtcGetLTOIRSize(program, &ltoir);
    printf("virtual, -dlto: PTX %zu, CUBIN %zu, LTO-IR %d\n", size, cubin_of(program).size(),
           ltoir > 1000);
    nvrtcDestroyProgram(&program);
    std::string broken = ptx;
    broken.resize(broken.size() / 2);
    CUmodule module;
    CU(cuModuleLoadData(&module, broken.c_str()));
    CU(cuModuleLoadData(&module, "hello"));
    CU(cuModuleLoadData(&module, ""));
    CU(cuModuleLoadData(&module, ".version 8.8\n.target sm_90\n"));
}

static void headers_and_names()
{
    puts("== headers and names");
    const char *source = "#include \"sub/twice.h\"\n"
                         "template <class T, int n> __global__ void k(T *p) { *p = twice(*p) + n; }\n"
                         "namespace a { __device__ int v = 5; template <class T> __constant__ T c = 7; }\n"
                         "static __device__ int hidden = 3;\n"
                         "static __global__ void s(int *p) { *p += a::v + a::c<int> + hidden; }\n";
    const char *headers[] = {"#include \"../base.h\"\n__device__ int twice(int x) { return F * x; }\n",
                             "#define F 2\n"};
    const char *include_names[] = {"sub/twice.h", "base.h"};
    nvrtcProgram program;
    nvrtcCreateProgram(&program, source, "k.cu", 2, headers, include_names);
    std::string type;
    nvrtcGetTypeName<int>(&type);
    const std::string by_type = "k<" + type + ", 1>";
    const char *names[] = {by_type.c_str(), "&k<int,2>", "a::v", "&a::c<int>", "s", "&hidden"};
    for (const char *name : names) {
        nvrtcAddNameExpression(program, name);
    }
    SHOW(nvrtcCompileProgram(program, 0, nullptr));
    printf("%s", log_of(program).c_str());
    CUmodule module;
    CU(cuModuleLoadData(&module, ptx_of(program).c_str()));
    const char *lowered;
    for (const char *name : {names[0], names[1], names[4]}) {
        nvrtcGetLoweredName(program, name, &lowered);
        printf("%s: %d\n", name, run(module, lowered, 10));
    }
    for (const char *name : {names[2], names[3], names[5]}) {
        CUdeviceptr variable;
        int value = 0;
        nvrtcGetLoweredName(program, name, &lowered);
        if (cuModuleGetGlobal(&variable, nullptr, module, lowered) == CUDA_SUCCESS) {
            cuMemcpyDtoH(&value, variable, sizeof value);
        }
        printf("%s: %d\n", name, value);
    }
    CUdeviceptr variable;
    CU(cuModuleGetGlobal(&variable, nullptr, module, "hidden"));
    nvrtcGetLoweredName(program, names[0], &lowered);
    puts(lowered);
    SHOW(nvrtcGetLoweredName(program, "k<int, 3>", &lowered));
    SHOW(nvrtcAddNameExpression(program, "k<int, 4>"));
    nvrtcDestroyProgram(&program);
    nvrtcCreateProgram(&program, "", "k.cu", 0, nullptr, nullptr);
    nvrtcAddNameExpression(program, "missing<int>");
    SHOW(nvrtcCompileProgram(program, 0, nullptr));
    printf("%d\n", log_of(program).find("missing<int>") != std::string::npos);
    nvrtcDestroyProgram(&program);
}

static void default_device()
{
    puts("== -default-device");
    nvrtcProgram program = compile("int factor = 3;\nstatic int f(int x) { return factor * x; }\n"
                                   "extern \"C\" __global__ void k(int *p) { *p = f(*p); }\n",
                                   {"-default-device"});
    printf("%d\n", load_and_run(ptx_of(program).c_str(), "k", 5));
    nvrtcDestroyProgram(&program);
}

static void nested()
{
    puts("== launches by kernels");
    nvrtcProgram program =
        compile("__global__ void c(int *p) { *p += 1; }\n"
                "extern \"C\" __global__ void k(int *p) { c<<<1, 1>>>(p); c<<<1, 1>>>(p); }\n",
                {"-rdc=true"});
    printf("%d\n", load_and_run(ptx_of(program).c_str(), "k", 5));
    nvrtcDestroyProgram(&program);
}

static void links()
{
    puts("== links");
    nvrtcProgram user = compile("extern __device__ int square(int);\nextern __device__ int more;\n"
                                "extern \"C\" __global__ void k(int *p) { *p = square(*p) + more; }\n",
                                {"-dc"}, "user.cu");
    nvrtcProgram maker = compile("__device__ int more = 1;\n"
                                 "__device__ int square(int x) { return x * x; }\n",
                                 {"-rdc=true", "-arch=sm_90"}, "maker.cu");
    std::string a = ptx_of(user), b = ptx_of(maker);
    std::vector<char> c = cubin_of(maker);
    CUmodule module;
    CU(cuModuleLoadData(&module, a.c_str()));
    CUlinkState link;
    char errors[512] = "x";
    CUjit_option keys[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {errors, (void *)sizeof errors};
    void *image;
    size_t size;
    CU(cuLinkCreate(2, keys, values, nullptr));
    CU(cuLinkCreate(1, nullptr, nullptr, &link));
    CU(cuLinkCreate(2, keys, values, &link));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, &a[0], a.size(), "a", 0, nullptr, nullptr));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, nullptr, 1, "a", 0, nullptr, nullptr));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)"hello", 6, "h", 0, nullptr, nullptr));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)".version 8", 11, "g", 0, nullptr, nullptr));
    CU(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent", 0, nullptr, nullptr));
    CU(cuLinkComplete(link, &image, &size));
    printf("%zu of %zu:\n%s", strlen(errors), (size_t)values[1], errors);
    CU(cuLinkDestroy(link));
    values[1] = (void *)sizeof errors;
    CU(cuLinkCreate(2, keys, values, &link));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, &a[0], a.size() + 1, nullptr, 0, nullptr, nullptr));
    CU(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, c.data(), c.size(), "c", 0, nullptr, nullptr));
    CU(cuLinkComplete(link, &image, &size));
    printf("%d\n", load_and_run(image, "k", 6));
    CU(cuLinkComplete(link, &image, &size));
    CU(cuLinkDestroy(link));
    CU(cuLinkDestroy(link));
    values[1] = (void *)sizeof errors;
    CU(cuLinkCreate(2, keys, values, &link));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, &b[0], b.size(), "b", 0, nullptr, nullptr));
    CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, &b[0], b.size(), "b", 0, nullptr, nullptr));
    CU(cuLinkComplete(link, &image, &size));
    printf("%d\n", strstr(errors, "square") != nullptr);
    CU(cuLinkDestroy(link));
    nvJitLinkHandle handle;
    const char *options[] = {"-arch=sm_90", "-O3"}, *none[] = {"-O3"}, *wrong[] = {"-foo"};
    printf("%d", nvJitLinkCreate(&handle, 1, none));
    nvJitLinkDestroy(&handle);
    printf(" %d", nvJitLinkCreate(&handle, 1, wrong));
    nvJitLinkDestroy(&handle);
    printf(" %d", nvJitLinkCreate(&handle, 2, options));
    printf(" %d", nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, a.c_str(), a.size(), "a"));
    printf(" %d", nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, "hello", 5, "h"));
    printf(" %d", nvJitLinkGetLinkedCubinSize(handle, &size));
    printf(" %d", nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, a.c_str(), a.size(), "a"));
    printf(" %d", nvJitLinkAddData(handle, NVJITLINK_INPUT_ANY, c.data(), c.size(), "c"));
    printf(" %d", nvJitLinkComplete(handle));
    printf(" %d", nvJitLinkGetLinkedCubinSize(handle, &size));
    std::vector<char> linked(size);
    printf(" %d\n", nvJitLinkGetLinkedCubin(handle, linked.data()));
    printf("%d", load_and_run(linked.data(), "k", 7));
    printf(" %d", nvJitLinkDestroy(&handle));
    printf(" %d\n", nvJitLinkDestroy(&handle));
    nvrtcDestroyProgram(&user);
    nvrtcDestroyProgram(&maker);
}

int main()
{
    CUcontext context;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    arguments();
    options();
    logs();
    images();
    headers_and_names();
    default_device();
    nested();
    links();
}
