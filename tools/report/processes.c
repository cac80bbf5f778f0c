/* A file is named "trace.1234": its kind, and the number of the process that wrote it. */
#include "report/processes.h"

#include "report/memory.h"
#include "report/tidy.h"
#include "support/str.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[PROCESS_FILES] = {"trace", "profile", "findings", "steps", "counts"};

/* The runtime replaces "%p" and the like in names of files; "%%" is a "%" of the folder's name. */
static const char *literally(const char *text)
{
    const char *percent = strchr(text, '%');
    return percent == NULL
               ? text
               : str_format("%.*s%%%%%s", (int)(percent - text), text, literally(percent + 1));
}

const char *processes_path(const char *folder, enum process_file file)
{
    return str_format("%s/%s.%%p", literally(folder), names[file]);
}

static struct process *process_of(struct processes *processes, pid_t number)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (processes->items[i].number == number) {
            return &processes->items[i];
        }
    }
    processes->items =
        memory_room(processes->items, processes->count, &processes->room, sizeof *processes->items);
    processes->items[processes->count] = (struct process){.number = number};
    return &processes->items[processes->count++];
}

static void add_file(struct processes *processes, const char *folder, const char *name)
{
    const char *point = strrchr(name, '.');
    const char *path = str_format("%s/%s", folder, name);
    tidy_add(path);
    for (int i = 0; point != NULL && i < PROCESS_FILES; i++) {
        size_t length = strlen(names[i]);
        if ((size_t)(point - name) == length && strncmp(name, names[i], length) == 0) {
            process_of(processes, (pid_t)strtol(point + 1, NULL, 10))->files[i] = path;
        }
    }
}

static int by_number(const void *a, const void *b)
{
    pid_t first = ((const struct process *)a)->number, second = ((const struct process *)b)->number;
    return (first > second) - (first < second);
}

static void put_first(struct processes *processes, pid_t number)
{
    for (size_t i = 0; i < processes->count; i++) {
        struct process chosen = processes->items[i];
        if (chosen.number == number) {
            memmove(processes->items + 1, processes->items, i * sizeof chosen);
            processes->items[0] = chosen;
        }
    }
}

void processes_find(struct processes *processes, const char *folder, pid_t first)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (entry->d_name[0] != '.') {
            add_file(processes, folder, entry->d_name);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    if (processes->count > 0) {
        qsort(processes->items, processes->count, sizeof *processes->items, by_number);
        put_first(processes, first);
    }
}
