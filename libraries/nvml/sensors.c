/* The processor's temperature. */
#include "state.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* The drivers of Linux for sensors of processors. */
static bool is_of_processor(const char *name)
{
    return strcmp(name, "coretemp") == 0 || strcmp(name, "k10temp") == 0 ||
           strcmp(name, "zenpower") == 0 || strcmp(name, "cpu_thermal") == 0;
}

static bool read_line(const char *directory, const char *sensor, const char *file, char *out,
                      int size)
{
    char path[512];
    if (snprintf(path, sizeof path, "%s/%s/%s", directory, sensor, file) >= (int)sizeof path) {
        return false;
    }
    FILE *stream = fopen(path, "re");
    bool good = stream != NULL && fgets(out, size, stream) != NULL;
    if (stream != NULL) {
        fclose(stream);
    }
    if (good) {
        out[strcspn(out, "\n")] = '\0';
    }
    return good;
}

bool cdp_nvml_temperature(const char *directory, unsigned *celsius)
{
    bool found = false;
    char line[64];
    unsigned thousandths;
    DIR *sensors = opendir(directory);
    if (sensors == NULL) {
        return false;
    }
    for (struct dirent *entry = readdir(sensors); entry != NULL && !found;
         entry = readdir(sensors)) {
        found = entry->d_name[0] != '.' &&
                read_line(directory, entry->d_name, "name", line, sizeof line) &&
                is_of_processor(line) &&
                read_line(directory, entry->d_name, "temp1_input", line, sizeof line) &&
                sscanf(line, "%u", &thousandths) == 1;
    }
    closedir(sensors);
    if (found) {
        *celsius = thousandths / 1000;
    }
    return found;
}
