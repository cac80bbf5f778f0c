/* The threads of this process, as the system lists them. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "os/os.h"

/* The state after a thread's name. The name may contain any characters. */
static char state_of(const char *stat)
{
    const char *end = strrchr(stat, ')');
    return end != NULL && end[1] == ' ' ? end[2] : '?';
}

/* The first thread stays listed after its end while other threads live. */
static bool main_has_ended(void)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    if (fgets(line, sizeof line, file) == NULL) {
        line[0] = '\0';
    }
    fclose(file);
    char state = state_of(line);
    return state == 'Z' || state == 'X';
}

unsigned cdp_os_living_threads(bool *main_lives)
{
    unsigned count = 0;
    *main_lives = true;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) {
        return 0;
    }
    for (struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks)) {
        count += isdigit((unsigned char)entry->d_name[0]) != 0;
    }
    closedir(tasks);
    *main_lives = !main_has_ended();
    return count - !*main_lives;
}

void cdp_os_sleep(uint64_t ns)
{
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000u),
                            .tv_nsec = (long)(ns % 1000000000u)};
    (void)nanosleep(&time, NULL);
}
