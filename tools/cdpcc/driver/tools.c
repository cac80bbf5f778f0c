/* Finds the files that cdpcc needs: beside this program, or on the PATH.
 *
 * cdpcc finds its own files relative to its program, so an installation can be moved:
 *
 *     ROOT/bin/cdpcc   ROOT/include/cdpcc/cuda_runtime.h   ROOT/lib/libcdprt.a, cdp_register.o
 *     ROOT/lib/aarch64-linux-gnu/...                       for --target=aarch64-linux-gnu
 *
 * ROOT is also laid out as NVIDIA's toolkit, if it is cdpcc's alone. In a directory that others
 * share, such as /usr/local, ROOT/lib/cdpcc is (tools/toolkit/layout.sh).
 *
 * clang is the program that CDPCC_CLANG names, or else clang-22, or any clang of that version or
 * later on the PATH. All that is missing is reported before any work starts. */
#include "driver/tools.h"

#include "driver/diag.h"
#include "support/str.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLANG_VERSION = 22 };

/* The file with that name on the PATH. A name with a slash is returned unchanged. */
static const char *find_program(const char *name)
{
    if (strchr(name, '/') != NULL) {
        return access(name, X_OK) == 0 ? name : NULL;
    }
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        const char *file = str_format("%.*s/%s", (int)length, length == 0 ? "." : path, name);
        if (access(file, X_OK) == 0) {
            return file;
        }
        path += length + (path[length] == ':');
    }
    return NULL;
}

/* The path of the first of the names that is on the PATH; NULL if there is none. */
static const char *first_program(const char *const *names)
{
    const char *file = NULL;
    for (; file == NULL && *names != NULL; names++) {
        file = find_program(*names);
    }
    return file;
}

/* The major version that a clang prints; 0 if it is no clang. */
static int version_of(const char *clang)
{
    FILE *pipe = popen(str_format("%s --version 2>/dev/null", str_shell_quote(clang)), "r");
    if (pipe == NULL) {
        return 0;
    }
    char line[256] = "";
    if (fgets(line, sizeof(line), pipe) == NULL) {
        line[0] = '\0';
    }
    pclose(pipe);
    const char *version = strstr(line, "clang version ");
    return version == NULL ? 0 : atoi(version + strlen("clang version "));
}

static int check_version(const char *clang)
{
    int version = version_of(clang);
    if (version == 0) {
        diag_error("'%s' is not a clang that runs; cdpcc needs clang %d or later", clang,
                   CLANG_VERSION);
        return 1;
    }
    if (version < CLANG_VERSION) {
        diag_error("'%s' is clang %d; cdpcc needs clang %d or later", clang, version,
                   CLANG_VERSION);
        return 1;
    }
    return 0;
}

/* Returns 0, or 1 after printing what is missing. */
static int find_clang(struct tools *tools)
{
    const char *wanted = getenv("CDPCC_CLANG");
    if (wanted != NULL && *wanted != '\0') {
        tools->clang = find_program(wanted);
        if (tools->clang == NULL) {
            diag_error("CDPCC_CLANG=%s: no such program", wanted);
            return 1;
        }
        return check_version(tools->clang);
    }
    static const char *const sure[] = {"clang-22", "clang++-22", NULL};
    tools->clang = first_program(sure);
    if (tools->clang != NULL) {
        return 0;
    }
    static const char *const perhaps[] = {"clang", "clang++", NULL};
    tools->clang = first_program(perhaps);
    if (tools->clang == NULL) {
        diag_error("clang is missing; install clang %d or set CDPCC_CLANG to one", CLANG_VERSION);
        return 1;
    }
    return check_version(tools->clang);
}

/* The directory that holds bin/cdpcc, include/cdpcc and lib. */
static const char *find_root(void)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length <= 0) {
        return NULL;
    }
    self[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(self, '/');
        if (slash == NULL) {
            return NULL;
        }
        *slash = '\0';
    }
    return str_copy(self, strlen(self));
}

const char *tools_toolkit(void)
{
    const char *root = find_root();
    if (root == NULL) {
        return NULL;
    }
    const char *apart = str_format("%s/lib/cdpcc", root);
    return access(str_format("%s/version.json", apart), R_OK) == 0 ? apart : root;
}

/* Returns 0, or 1 after printing what is missing. */
static int find_own(struct tools *tools, const char *target)
{
    const char *root = find_root();
    if (root == NULL) {
        diag_error("cannot tell where cdpcc is installed: /proc/self/exe is unreadable");
        return 1;
    }
    tools->include = str_format("%s/include/cdpcc", root);
    tools->library =
        target == NULL ? str_format("%s/lib", root) : str_format("%s/lib/%s", root, target);
    tools->registrar = str_format("%s/cdp_register.o", tools->library);
    tools->toolkit = tools_toolkit();
    tools->object_source = str_format("%s/lib/cdp_object.S", root);
    if (target != NULL && access(tools->registrar, R_OK) != 0) {
        diag_error("--target=%s: this installation lacks '%s', that machine's runtime; "
                   "'make TARGET=%s' makes it",
                   target, tools->library, target);
        return 1;
    }
    const char *needed[] = {str_format("%s/cuda_runtime.h", tools->include), tools->registrar};
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (access(needed[i], R_OK) != 0) {
            diag_error("this installation lacks '%s'", needed[i]);
            return 1;
        }
    }
    return 0;
}

/* LLVM's tools support all machines, the others only their own. */
static int find_binutils(struct tools *tools, const char *target)
{
    const char *ours = target == NULL ? "" : str_format("%s-", target);
    const char *ld = str_format("%sld", ours), *ar = str_format("%sar", ours);
    const char *const linkers[] = {"ld.lld-22", "ld.lld", ld, NULL};
    const char *const archivers[] = {ar, "llvm-ar-22", "llvm-ar", NULL};
    tools->linker = first_program(linkers);
    tools->other_linker = find_program(ld);
    tools->archiver = first_program(archivers);
    if (tools->linker == NULL || tools->archiver == NULL) {
        diag_error("the %s is missing; install binutils",
                   tools->linker == NULL ? "linker (ld)" : "archiver (ar)");
        return 1;
    }
    return 0;
}

/* clang++-22 beside clang-22; NULL if there is none. */
static const char *find_clangxx(const char *clang)
{
    const char *name = str_file_name(clang);
    if (!str_starts(name, "clang") || str_starts(name, "clang++")) {
        return NULL;
    }
    const char *file =
        str_format("%.*sclang++%s", (int)(name - clang), clang, name + strlen("clang"));
    return access(file, X_OK) == 0 ? file : NULL;
}

/* The vendor is that of clang's own triple. */
static const char *triple_of(const char *target)
{
    return str_format("%s-pc-linux-gnu", str_copy(target, strcspn(target, "-")));
}

/* As for findings at run time. */
static bool wants_colours(void)
{
    const char *no = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) == 1 && (no == NULL || *no == '\0');
}

int tools_find(struct tools *tools, const char *target)
{
    const char *machine = target != NULL ? target : target_here();
    if (machine == NULL) {
        diag_error("cannot tell this machine's architecture");
        return 1;
    }
    tools->triple = triple_of(machine);
    tools->colours = wants_colours();
    if (find_clang(tools) != 0) {
        return 1;
    }
    tools->clangxx = find_clangxx(tools->clang);
    return find_own(tools, target) != 0 || find_binutils(tools, target) != 0;
}
