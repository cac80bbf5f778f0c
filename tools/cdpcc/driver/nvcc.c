/* What build systems read in nvcc's output.
 *
 * CMake finds the toolkit in the line "#$ TOP=" of "nvcc -v", also if the command fails; its
 * directories in INCLUDES and LIBRARIES; the linker's driver and the libraries in the command that
 * contains the text of LIBRARIES; and an architecture after "-arch". It knows the compiler by the
 * first line of --version; meson takes what follows the last V for the version. Everything printed
 * here is true of cdpcc, so a variable without a meaning here is left out. */
#include "driver/nvcc.h"

#include "support/str.h"

#include <stdio.h>
#include <stdlib.h>

void nvcc_print_version(void)
{
    puts("nvcc: NVIDIA (R) Cuda compiler driver (its interface; this is cdpcc 0.1.0, no NVIDIA "
         "software inside)\n"
         "Cuda compilation tools, release 12.9, V12.9.86");
}

/* The architecture to give if one must be given. From sm_90 on, -arch chooses the second generation
 * of dynamic parallelism; with sm_80 both are possible, as without -arch. */
static unsigned neutral_arch(const struct args *args)
{
    unsigned arch = args->device.arch / 10;
    return args->device.mode == CDP_MODE_AUTO && arch >= 90 ? 80 : arch;
}

void nvcc_print_environment(const struct args *args, const char *toolkit)
{
    const char *path = getenv("PATH");
    fputs(NVCC_TRACE "_SPACE_= \n" NVCC_TRACE "_CUDART_=cudart\n", stderr);
    if (toolkit != NULL) {
        fprintf(stderr,
                NVCC_TRACE "_HERE_=%s/bin\n" NVCC_TRACE "_THERE_=%s/bin\n" NVCC_TRACE
                           "TOP=%s\n" NVCC_TRACE "NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n",
                toolkit, toolkit, toolkit, toolkit);
        fprintf(stderr, NVCC_TRACE "INCLUDES=%s\n",
                str_shell_quote(str_format("-I%s/include", toolkit)));
        fprintf(stderr, NVCC_TRACE "LIBRARIES=%s\n",
                str_shell_quote(str_format("-L%s/lib64", toolkit)));
    }
    fprintf(stderr, NVCC_TRACE "PATH=%s\n", path == NULL ? "" : path);
    fprintf(stderr, NVCC_TRACE "ARCHITECTURE=-arch compute_%u\n", neutral_arch(args));
}

/* Architectures whose programs are known to run. cdpcc accepts any other number, too. */
static const unsigned architectures[] = {35, 37, 50, 52, 53, 60,  61,  62,  70,  72, 75,
                                         80, 86, 87, 89, 90, 100, 101, 103, 120, 121};

void nvcc_print_architectures(const struct args *args)
{
    for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++) {
        unsigned arch = architectures[i];
        if (args->action.list_codes && args->action.list_arches) {
            printf("arch=compute_%u,code=sm_%u\n", arch, arch);
        } else {
            printf("%s_%u\n", args->action.list_codes ? "sm" : "compute", arch);
        }
    }
}
