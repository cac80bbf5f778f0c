#include "exec/report/file.h"

#include <string.h>

#include "os/os.h"

void cdp_report_path(const char *name, char *path, size_t size)
{
    const char *number = strstr(name, "%p");
    if (number != NULL) {
        snprintf(path, size, "%.*s%u%s", (int)(number - name), name, cdp_os_process_number(),
                 number + 2);
    } else {
        snprintf(path, size, "%s", name);
    }
}

FILE *cdp_report_create(const char *name)
{
    char path[4096];
    cdp_report_path(name, path, sizeof path);
    return fopen(path, "we");
}
