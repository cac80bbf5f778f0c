/* The files for editors: .clangd, .vscode/tasks.json and .vscode/launch.json. */
#include "driver/init.h"

#include "driver/diag.h"
#include "driver/front.h"
#include "support/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new file, or NULL after printing why there is none. */
static FILE *create(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL && errno == EEXIST) {
        diag_error("--init: %s exists already; remove it, or edit it", path);
    } else if (file == NULL) {
        diag_error("--init: cannot write %s: %s", path, strerror(errno));
    }
    return file;
}

static int finish(FILE *file, const char *path)
{
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        diag_error("--init: cannot write %s: %s", path, strerror(errno));
        return 1;
    }
    printf("wrote %s\n", path);
    return 0;
}

static int write_clangd(const struct args *args, const struct tools *tools)
{
    static const char path[] = ".clangd";
    /* What a compile_commands.json may have of cdpcc's and nvcc's options. */
    static const char *const removed[] = {
        "-arch*",
        "--gpu-architecture*",
        "-code*",
        "-gencode*",
        "--generate-code*",
        "-rdc*",
        "--relocatable-device-code*",
        "-dc",
        "-G",
        "-lineinfo",
        "--check*",
        "--lab",
        "--cdp*",
        "-Xcompiler*",
        "--expt-*",
        "--extended-lambda",
        "-cudart*",
        "-use_fast_math",
        "-fmad*",
        "-maxrregcount*",
        "--explain*",
        "--time",
        "--entry*",
        "-Xptxas*",
        "--threads*",
    };
    FILE *file = create(path);
    if (file == NULL) {
        return 1;
    }
    fprintf(file, "# Written by cdpcc --init clangd.\nIf:\n  PathMatch: .*\\.cuh?\n"
                  "CompileFlags:\n  Compiler: ");
    str_print_json(file, tools->clang);
    fprintf(file, "\n  Remove: [");
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        fprintf(file, "%s\"%s\"", i == 0 ? "" : ", ", removed[i]);
    }
    fprintf(file, "]\n  Add:\n");
    struct vec words = front_editor(args, tools);
    for (size_t i = 0; i < words.count; i++) {
        fprintf(file, "    - ");
        str_print_json(file, words.items[i]);
        fputc('\n', file);
    }
    return finish(file, path);
}

/* The folder of cdpcc's own commands. */
static const char *commands_of(const struct tools *tools)
{
    return str_format("%s/bin", tools->toolkit);
}

static int write_tasks(const char *compiler)
{
    static const char path[] = ".vscode/tasks.json";
    FILE *file = create(path);
    if (file == NULL) {
        return 1;
    }
    static const struct {
        const char *label, *words;
    } tasks[] = {
        {"cdpcc: build for debugging", "\"-g\", \"-G\""},
        {"cdpcc: build with all checks", "\"-g\", \"--check\""},
        {"cdpcc: build", "\"-O3\""},
    };
    fprintf(file, "{\n  \"version\": \"2.0.0\",\n  \"tasks\": [");
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        fprintf(file,
                "%s\n    {\n      \"label\": \"%s\",\n      \"type\": \"process\",\n      "
                "\"command\": ",
                i == 0 ? "" : ",", tasks[i].label);
        str_print_json(file, compiler);
        fprintf(file,
                ",\n      \"args\": [%s, \"${file}\", \"-o\", "
                "\"${fileDirname}/${fileBasenameNoExtension}\"],\n"
                "      \"problemMatcher\": [\"$gcc\"],\n"
                "      \"group\": {\"kind\": \"build\", \"isDefault\": %s}\n    }",
                tasks[i].words, i == 0 ? "true" : "false");
    }
    fprintf(file, "\n  ]\n}\n");
    return finish(file, path);
}

/* cppdbg is of the extension ms-vscode.cpptools, lldb-dap of llvm-vs-code-extensions.lldb-dap. */
static int write_launch(const char *debugger, const char *script)
{
    static const char path[] = ".vscode/launch.json";
    FILE *file = create(path);
    if (file == NULL) {
        return 1;
    }
    fprintf(file, "{\n  \"version\": \"0.2.0\",\n  \"configurations\": [\n    {\n"
                  "      \"name\": \"CUDA by cdp-gdb\",\n      \"type\": \"cppdbg\",\n"
                  "      \"request\": \"launch\",\n"
                  "      \"program\": \"${fileDirname}/${fileBasenameNoExtension}\",\n"
                  "      \"args\": [],\n      \"cwd\": \"${fileDirname}\",\n"
                  "      \"MIMode\": \"gdb\",\n      \"miDebuggerPath\": ");
    str_print_json(file, debugger);
    fprintf(file, ",\n      \"preLaunchTask\": \"cdpcc: build for debugging\"\n    },\n    {\n"
                  "      \"name\": \"CUDA by lldb\",\n      \"type\": \"lldb-dap\",\n"
                  "      \"request\": \"launch\",\n"
                  "      \"program\": \"${fileDirname}/${fileBasenameNoExtension}\",\n"
                  "      \"args\": [],\n      \"cwd\": \"${fileDirname}\",\n"
                  "      \"initCommands\": [");
    str_print_json(file, str_format("command script import \"%s\"", script));
    fprintf(file, "],\n      \"preLaunchTask\": \"cdpcc: build for debugging\"\n    }\n  ]\n}\n");
    return finish(file, path);
}

static int write_vscode(const struct tools *tools)
{
    if (mkdir(".vscode", 0777) != 0 && errno != EEXIST) {
        diag_error("--init: cannot create the folder .vscode: %s", strerror(errno));
        return 1;
    }
    const char *commands = commands_of(tools);
    int failed = write_tasks(str_format("%s/cdpcc", commands));
    return write_launch(str_format("%s/cdp-gdb", commands),
                        str_format("%s/share/cdpcc/cdp_lldb.py", tools->toolkit)) |
           failed;
}

int init_write(const struct args *args, const struct tools *tools)
{
    return str_equals(args->action.init, "clangd") ? write_clangd(args, tools)
                                                   : write_vscode(tools);
}
