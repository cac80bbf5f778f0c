/* lower INPUT.bc OUTPUT [option...]: lower_device by itself, for tests of single
 * passes on hand-written modules. */
#include "lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void apply(struct lower_options *options, const char *word)
{
    if (strncmp(word, "-O", 2) == 0) {
        options->optimize = atoi(word + 2);
    } else if (strcmp(word, "-S") == 0) {
        options->kind = LOWER_ASSEMBLY;
    } else if (strcmp(word, "-bc") == 0) {
        options->kind = LOWER_BITCODE;
    } else if (strcmp(word, "-ll") == 0) {
        options->kind = LOWER_IR;
    } else if (strcmp(word, "-G") == 0) {
        options->debug_device = true;
    } else if (strcmp(word, "-g0") == 0) {
        options->strip_debug = true;
    } else if (strcmp(word, "-rdc=false") == 0) {
        options->no_device_launch = true;
    } else if (strcmp(word, "--cdp=1") == 0) {
        options->mode = CDP_MODE_1;
    } else if (strcmp(word, "--cdp=2") == 0) {
        options->mode = CDP_MODE_2;
    } else if (strcmp(word, "-fsanitize=address") == 0) {
        options->sanitize_address = true;
    } else if (strcmp(word, "-fsanitize=thread") == 0) {
        options->sanitize_thread = true;
    } else if (strncmp(word, "-march=", 7) == 0) {
        options->cpu = word + 7;
    } else if (strncmp(word, "--dump=", 7) == 0) {
        options->dump = word + 7;
    } else {
        fprintf(stderr, "lower: unknown option %s\n", word);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--managed") == 0) {
        return lower_host_managed(argv[2], argv[3]);
    }
    if (argc < 3) {
        fputs("usage: lower INPUT.bc OUTPUT [option...] | lower --managed INPUT OUTPUT\n", stderr);
        return 2;
    }
    struct lower_options options = {.input = argv[1], .output = argv[2], .optimize = 3};
    for (int i = 3; i < argc; i++) {
        apply(&options, argv[i]);
    }
    return lower_device(&options);
}
