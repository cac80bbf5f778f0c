/* What options add to the link line. */
#include "driver/args_table.h"
#include "support/arena.h"
#include "support/str.h"

void args_add_link_word(struct args *args, const char *text)
{
    args->link_items = arena_grow(args->link_items, args->link_count * sizeof(*args->link_items),
                                  (args->link_count + 1) * sizeof(*args->link_items));
    args->link_items[args->link_count++] = (struct link_item){.text = text};
}

/* Libraries of the CUDA toolkit that our runtime or headers replace. */
static bool is_ours(const char *library)
{
    static const char *const names[] = {"cudart", "cudart_static", "cudadevrt", "cuda",
                                        "nvToolsExt", "cudart-static", "nccl", "nccl_static",
                                        /* parts of NVIDIA's libnvrtc_static */
                                        "nvrtc-builtins_static", "nvptxcompiler_static"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (str_equals(names[i], library)) {
            return true;
        }
    }
    return false;
}

void args_add_library(struct args *args, const char *name)
{
    if (str_equals(name, "cuda")) { /* modules use the runtime of the program */
        args->action.loads_modules = true;
    }
    if (!is_ours(name)) {
        args_add_link_word(args, str_format("-l%s", name));
    }
}
