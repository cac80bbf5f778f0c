/* Compares implementations of the same workloads (see serve.h), and prints a row of a Markdown
 * table for each workload.
 *
 *   alternate [-n ROUNDS] TITLE=COMMAND TITLE=COMMAND...
 *
 * The first implementation is the reference. In each round every implementation measures once, one
 * after the other. Each time is divided by the reference's time of the same round. A cell is the
 * median of these ratios, so that a temporary slowdown of the machine affects both sides. There is
 * a pause after each implementation, in which its threads fall asleep. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

enum { MAX_FORMS = 8, MAX_WORKLOADS = 32, MAX_ROUNDS = 101, LINE = 256 };

/* A process that serves requests; lives as long as the program. */
struct implementation {
    const char *title, *command;
    FILE *requests, *answers;
    double seconds[MAX_ROUNDS], ratios[MAX_ROUNDS];
};

struct row {
    char name[LINE], what[LINE];
    double bar;
};

static void quit(const char *what, const char *which)
{
    fprintf(stderr, "alternate: %s: %s\n", which, what);
    exit(1);
}

static void start(struct implementation *implementation)
{
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0) {
        quit(strerror(errno), implementation->title);
    }
    if (fork() == 0) {
        dup2(down[0], STDIN_FILENO);
        dup2(up[1], STDOUT_FILENO);
        for (int i = 3; i < 3 + 4 * MAX_FORMS; i++) {
            close(i);
        }
        execl("/bin/sh", "sh", "-c", implementation->command, (char *)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    implementation->requests = fdopen(down[1], "w");
    implementation->answers = fdopen(up[0], "r");
}

static void answer(struct implementation *implementation, char line[static LINE])
{
    if (fgets(line, LINE, implementation->answers) == NULL) {
        quit("ended", implementation->command);
    }
}

static void ask(struct implementation *implementation, const char *name)
{
    fprintf(implementation->requests, "%s\n", name);
    fflush(implementation->requests);
}

static int list(struct implementation *implementation, struct row *rows)
{
    char line[LINE];
    int count = 0;
    ask(implementation, "?");
    for (answer(implementation, line); line[0] != '\n'; answer(implementation, line)) {
        struct row *row = &rows[count++];
        if (count > MAX_WORKLOADS ||
            sscanf(line, "%255[^\t]\t%255[^\t]\t%lf", row->name, row->what, &row->bar) != 3) {
            quit("bad list of workloads", implementation->title);
        }
    }
    return count;
}

static double measure(struct implementation *implementation, const struct row *row)
{
    char line[LINE];
    double seconds = 0;
    ask(implementation, row->name);
    answer(implementation, line);
    if (sscanf(line, "%lf", &seconds) != 1 || seconds <= 0) {
        fprintf(stderr, "alternate: %s, %s: %s", implementation->title, row->name, line);
        exit(1);
    }
    usleep(10000);
    return seconds;
}

static void print_time(double seconds)
{
    if (seconds >= 1e-3) {
        printf(" %.2f ms |", seconds * 1e3);
    } else {
        printf(" %.1f µs |", seconds * 1e6);
    }
}

static void print_row(const struct row *row, struct implementation *implementations, int count,
                      int rounds)
{
    printf("| %s |", row->what);
    print_time(median(implementations[0].seconds, rounds));
    for (int i = 1; i < count; i++) {
        printf(" %.2f |", median(implementations[i].ratios, rounds));
    }
    if (row->bar > 0) {
        printf(" %.2f |\n", row->bar);
    } else {
        printf(" |\n");
    }
    fflush(stdout);
}

static void compare(const struct row *row, struct implementation *implementations, int count,
                    int rounds)
{
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            implementations[i].seconds[round] = measure(&implementations[i], row);
            implementations[i].ratios[round] =
                implementations[i].seconds[round] / implementations[0].seconds[round];
        }
    }
    print_row(row, implementations, count, rounds);
}

static void print_head(const struct implementation *implementations, int count)
{
    printf("| workload | %s |", implementations[0].title);
    for (int i = 1; i < count; i++) {
        printf(" %s |", implementations[i].title);
    }
    printf(" bar |\n|---|");
    for (int i = 0; i <= count; i++) {
        printf("---|");
    }
    printf("\n");
    fflush(stdout);
}

static int parse(int argc, char **argv, struct implementation *implementations, int *rounds)
{
    int option, count = 0;
    while ((option = getopt(argc, argv, "n:")) != -1) {
        if (option != 'n' || (*rounds = atoi(optarg)) < 1 || *rounds > MAX_ROUNDS) {
            return 0;
        }
    }
    for (; optind < argc && count < MAX_FORMS; optind++, count++) {
        char *equals = strchr(argv[optind], '=');
        if (equals == NULL) {
            return 0;
        }
        *equals = '\0';
        implementations[count].title = argv[optind];
        implementations[count].command = equals + 1;
    }
    return count;
}

int main(int argc, char **argv)
{
    static struct implementation implementations[MAX_FORMS];
    static struct row rows[MAX_WORKLOADS];
    int rounds = 7, count = parse(argc, argv, implementations, &rounds);
    if (count < 2) {
        fprintf(stderr, "usage: alternate [-n ROUNDS] TITLE=COMMAND TITLE=COMMAND...\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        start(&implementations[i]);
    }
    int row_count = list(&implementations[0], rows);
    print_head(implementations, count);
    for (int i = 0; i < row_count; i++) {
        compare(&rows[i], implementations, count, rounds);
    }
    return 0;
}
