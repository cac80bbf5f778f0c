/* Findings: their files, their numbers, and which of them are printed.
 *
 * A finding is known by its kind and its places. Places in the source are compared by file, line
 * and column: a line in a loop that was unrolled, or in a function that was inlined twice, has
 * several sites. */
#include "exec/report/finding.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "exec/report/finding_print.h"
#include "exec/report/json.h"
#include "os/os.h"
#include "os/report_file.h"

enum { FEWEST_SLOTS = 64, MOST_TOLD = 20 };

/* One finding, or a further key of another finding. */
struct known {
    uint64_t key;  /* hash of kind and places; 0: unused */
    uint64_t same; /* key of the entry that counts; 0: this one */
    uint64_t repeats;
    enum cdp_abi_checks check;
};

/* A finding that was printed. */
struct printed {
    uint64_t key;
    char position[160]; /* of its first place */
};

_Atomic uint32_t cdp_finding_checks;

/* All that a run has found. Life: as long as the process; closed by cdp_finding_finish. */
static struct {
    struct cdp_lock lock;
    uint32_t compiled CDP_GUARDED_BY(&lock), allowed CDP_GUARDED_BY(&lock);
    uint32_t limit CDP_GUARDED_BY(&lock);
    struct known *table CDP_GUARDED_BY(&lock); /* owned; a hash table */
    size_t slots CDP_GUARDED_BY(&lock);        /* of table: a power of two, or 0 */
    size_t used CDP_GUARDED_BY(&lock);         /* slots */
    uint64_t count CDP_GUARDED_BY(&lock), printed CDP_GUARDED_BY(&lock);
    uint64_t repeats CDP_GUARDED_BY(&lock);
    struct printed first[MOST_TOLD] CDP_GUARDED_BY(&lock); /* as many as were printed */
    FILE *log CDP_GUARDED_BY(&lock);                       /* NULL: standard error */
    FILE *json CDP_GUARDED_BY(&lock);                      /* NULL: none */
    bool json_has_any CDP_GUARDED_BY(&lock), is_finished CDP_GUARDED_BY(&lock);
    struct cdp_finding_report report CDP_GUARDED_BY(&lock); /* too large for a stack */
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_FINDING), .limit = 10};

/* ---- Files ---- */

/* NULL: there is none, or it cannot be written. It stays open until the process ends. */
static FILE *open_file(const char *variable, const char *name)
{
    struct cdp_os_report report;
    return name != NULL && cdp_os_report_open(&report, variable, name) ? report.file : NULL;
}

static FILE *log_file(void) CDP_NEEDS(&all.lock)
{
    return all.log != NULL ? all.log : stderr;
}

/* The kinds of checks that some module was compiled with. */
static void print_compiled(void) CDP_NEEDS(&all.lock)
{
    const char *separator = "";
    for (uint32_t check = 1; check <= CDP_CHECKS_ALL; check *= 2) {
        if ((all.compiled & check) != 0) {
            fprintf(all.json, "%s%s", separator, cdp_finding_word((enum cdp_abi_checks)check));
            separator = ",";
        }
    }
}

/* What the last element is if the process dies now. The next element overwrites it, and this one
 * comes again behind it; the summary, which comes last, is longer. So nothing of it is left. */
static void print_unfinished(void) CDP_NEEDS(&all.lock)
{
    fprintf(all.json, "%s{\"check\": \"unfinished\", \"compiled\": \"",
            all.json_has_any ? ",\n" : "\n");
    print_compiled();
    fputs("\"}", all.json);
}

/* The array ends after each element, and the next element overwrites this end. So the file is
 * complete even if the process dies. A pipe gets the end only once. */
static void end_array(bool is_last) CDP_NEEDS(&all.lock)
{
    long end = ftell(all.json);
    if (!is_last && end >= 0) {
        print_unfinished();
    }
    if (is_last || end >= 0) {
        fputs("\n]\n", all.json);
        fflush(all.json);
    }
    if (!is_last && end >= 0) {
        (void)fseek(all.json, end, SEEK_SET);
    }
}

/* Ends the last element, if there is one. */
static void begin_element(void) CDP_NEEDS(&all.lock)
{
    fputs(all.json_has_any ? ",\n" : "\n", all.json);
    all.json_has_any = true;
}

static void update(void) CDP_NEEDS(&all.lock)
{
    atomic_store_explicit(&cdp_finding_checks, all.compiled & all.allowed, memory_order_relaxed);
}

void cdp_finding_start(const struct cdp_options *options)
{
    cdp_lock_acquire(&all.lock);
    all.allowed = options->check;
    all.limit = options->check_limit;
    all.log = open_file("CDP_CHECK_LOG", options->check_log);
    all.json = open_file("CDP_CHECK_JSON", options->check_json);
    if (all.json != NULL) {
        fputs("[", all.json);
        end_array(false);
    }
    update();
    cdp_lock_release(&all.lock);
}

void cdp_finding_enable(uint32_t checks)
{
    cdp_lock_acquire(&all.lock);
    all.compiled |= checks;
    update();
    if (all.json != NULL) {
        end_array(false);
    }
    cdp_lock_release(&all.lock);
}

/* ---- Known findings ---- */

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes; size != 0; at++, size--) {
        hash = (hash ^ *at) * UINT64_C(1099511628211);
    }
    return hash;
}

/* A pair of lines races once, whatever its columns are: the parts of a struct have one each. */
static uint64_t add_source(const struct cdp_finding *finding, uint64_t hash, const char *file,
                           uint32_t line, uint32_t column)
{
    hash = add_bytes(hash, file, strlen(file));
    hash = add_bytes(hash, &line, sizeof line);
    return finding->check == CDP_CHECKS_RACE ? hash : add_bytes(hash, &column, sizeof column);
}

static uint64_t add_place(const struct cdp_finding *finding, uint64_t hash,
                          const struct cdp_finding_place *place)
{
    const struct cdp_abi_site *site = place->site;
    if (site != NULL && site->file != NULL) {
        return add_source(finding, hash, site->file, site->line, site->column);
    }
    return site != NULL ? add_bytes(hash, &site, sizeof site)
                        : add_bytes(hash, &place->pc, sizeof place->pc);
}

static uint64_t add_check(const struct cdp_finding *finding)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    return add_bytes(hash, &finding->check, sizeof finding->check);
}

/* Distributes the hash's bits: the sum of two hashes of near lines must not be that of two others.
 */
static uint64_t mixed(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 33;
}

/* Adds the second place's hash to that of the first. Of two threads that race, either may be the
 * later one: the two orders are one pair. */
static uint64_t add_other(const struct cdp_finding *finding, uint64_t hash, uint64_t other)
{
    return finding->check == CDP_CHECKS_RACE ? mixed(hash) + mixed(other)
                                             : add_bytes(hash, &other, sizeof other);
}

static uint64_t key_of(const struct cdp_finding *finding)
{
    uint64_t hash = add_place(finding, add_check(finding), &finding->at);
    if (finding->other.what != NULL) {
        hash = add_other(finding, hash, add_place(finding, add_check(finding), &finding->other));
    }
    if (finding->at.site == NULL && finding->at.pc == NULL) {
        hash = add_bytes(hash, finding->title, strlen(finding->title));
    }
    return hash != 0 ? hash : 1;
}

/* The same by the lines that were looked up: a line may have several code addresses. 0 if a line is
 * not known. */
static uint64_t line_key_of(const struct cdp_finding_report *resolved)
{
    const struct cdp_os_source *at = &resolved->at.source, *other = &resolved->other.source;
    bool is_pair = resolved->finding->other.what != NULL;
    if (at->line == 0 || (is_pair && other->line == 0)) {
        return 0;
    }
    const struct cdp_finding *finding = resolved->finding;
    uint64_t start = add_check(finding);
    uint64_t hash = add_source(finding, start, at->file, at->line, at->column);
    if (is_pair) {
        hash = add_other(finding, hash,
                         add_source(finding, start, other->file, other->line, other->column));
    }
    return hash;
}

/* The slot of a key, or the unused slot for it. There is always an unused slot. */
static struct known *slot_of(struct known *table, size_t slots, uint64_t key)
{
    size_t at = key & (slots - 1);
    while (table[at].key != 0 && table[at].key != key) {
        at = (at + 1) & (slots - 1);
    }
    return &table[at];
}

/* Keeps at most half of the slots used. False if there is no memory. */
static bool make_room(void) CDP_NEEDS(&all.lock)
{
    if (2 * (all.used + 1) <= all.slots) {
        return true;
    }
    size_t slots = all.slots != 0 ? 2 * all.slots : FEWEST_SLOTS;
    struct known *table = cdp_alloc_zero(slots * sizeof *table);
    if (table == NULL) {
        return false;
    }
    for (size_t i = 0; i < all.slots; i++) {
        if (all.table[i].key != 0) {
            *slot_of(table, slots, all.table[i].key) = all.table[i];
        }
    }
    cdp_free(all.table);
    all.table = table;
    all.slots = slots;
    return true;
}

/* The entry of a finding, with check == 0 if it is new. NULL if there is no memory. */
static struct known *find_known(uint64_t key) CDP_NEEDS(&all.lock)
{
    if (!make_room()) {
        return NULL;
    }
    struct known *known = slot_of(all.table, all.slots, key);
    all.used += known->key == 0;
    known->key = key;
    return known;
}

/* ---- Reports ---- */

static bool has_colour(void) CDP_NEEDS(&all.lock)
{
    const char *wish = secure_getenv("NO_COLOR");
    return all.log == NULL && (wish == NULL || *wish == '\0') && isatty(STDERR_FILENO) == 1;
}

/* Prints all.report, which has that key. */
static void print(uint64_t key) CDP_NEEDS(&all.lock)
{
    if (all.printed < MOST_TOLD) {
        struct printed *printed = &all.first[all.printed];
        printed->key = key;
        cdp_finding_position(&all.report.at.source, all.report.at.code, printed->position,
                             sizeof printed->position);
    }
    all.printed++;
    flockfile(log_file());
    cdp_finding_print_text(log_file(), &all.report, has_colour());
    fflush(log_file());
    funlockfile(log_file());
    if (all.json != NULL) {
        begin_element();
        cdp_finding_print_json(all.json, &all.report);
        end_array(false);
    }
}

static void count_repeat(struct known *known) CDP_NEEDS(&all.lock)
{
    if (known->same != 0) {
        known = slot_of(all.table, all.slots, known->same);
    }
    known->repeats++;
    all.repeats++;
}

/* Whether the lines of all.report were reported before, under another key. Then it is counted
 * there. */
static bool repeats_lines(uint64_t key, enum cdp_abi_checks check) CDP_NEEDS(&all.lock)
{
    uint64_t line_key = line_key_of(&all.report);
    struct known *first = line_key != 0 ? find_known(line_key) : NULL;
    struct known *known = slot_of(all.table, all.slots, key); /* the table may have moved */
    if (first == NULL || first == known) {
        return false;
    }
    if (first->check == 0) {
        first->check = check;
        first->same = key;
        return false;
    }
    known->same = first->same != 0 ? first->same : line_key;
    count_repeat(known);
    all.count--;
    return true;
}

/* Counts the finding if it was reported before. */
static bool counts_repeat(uint64_t key) CDP_NEEDS(&all.lock)
{
    struct known *known = all.slots != 0 ? slot_of(all.table, all.slots, key) : NULL;
    bool is_known = known != NULL && known->key != 0 && known->check != 0;
    if (is_known) {
        count_repeat(known);
    }
    return is_known;
}

bool cdp_finding_repeats(const struct cdp_finding *finding)
{
    bool has_lines = finding->at.site != NULL || finding->at.pc != NULL;
    cdp_lock_acquire(&all.lock);
    bool is_known = has_lines && !all.is_finished && counts_repeat(key_of(finding));
    cdp_lock_release(&all.lock);
    return is_known;
}

/* Counts the finding, and prints it if it is new. True if it was printed. */
static bool report(const struct cdp_finding *finding) CDP_NEEDS(&all.lock)
{
    uint64_t key = key_of(finding);
    if (counts_repeat(key)) {
        return false;
    }
    struct known *known = find_known(key);
    all.count++;
    if (known != NULL) {
        known->check = finding->check;
    }
    /* Also past the limit: the number of findings must not depend on it. */
    cdp_finding_resolve_lines(finding, &all.report);
    if (known != NULL && repeats_lines(key, finding->check)) {
        return false;
    }
    if (all.limit != 0 && all.printed >= all.limit) {
        return false;
    }
    cdp_finding_resolve_rest(&all.report);
    print(key);
    return true;
}

bool cdp_finding_report(const struct cdp_finding *finding)
{
    cdp_lock_acquire(&all.lock);
    bool was_printed = !all.is_finished && report(finding);
    cdp_lock_release(&all.lock);
    return was_printed;
}

void cdp_finding_remark(const char *format, ...)
{
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cdp_lock_acquire(&all.lock);
    fprintf(log_file(), "cdp: %s\n", text);
    fflush(log_file());
    if (all.json != NULL && !all.is_finished) {
        begin_element();
        fputs("{\"check\": \"remark\", \"title\": ", all.json);
        cdp_json_print_text(all.json, text);
        fputs("}", all.json);
        end_array(false);
    }
    cdp_lock_release(&all.lock);
}

/* ---- The end ---- */

uint64_t cdp_finding_count(enum cdp_abi_checks check)
{
    uint64_t count = 0;
    cdp_lock_acquire(&all.lock);
    for (size_t i = 0; i < all.slots; i++) {
        const struct known *known = &all.table[i];
        count += known->key != 0 && known->same == 0 && known->check == check;
    }
    cdp_lock_release(&all.lock);
    return count;
}

static void tell_repeats(void) CDP_NEEDS(&all.lock)
{
    for (uint64_t i = 0; i < all.printed && i < MOST_TOLD && all.slots != 0; i++) {
        const struct known *known = slot_of(all.table, all.slots, all.first[i].key);
        if (known->repeats != 0) {
            fprintf(log_file(), "cdp:   %s at %s: %" PRIu64 " more times\n",
                    cdp_finding_word(known->check), all.first[i].position, known->repeats);
        }
    }
}

static void tell_numbers(void) CDP_NEEDS(&all.lock)
{
    fprintf(log_file(), "cdp: %" PRIu64 " finding%s", all.count, all.count == 1 ? "" : "s");
    if (all.count > all.printed) {
        fprintf(log_file(), ", %" PRIu64 " of them not shown (CDP_CHECK_LIMIT=0 shows all)",
                all.count - all.printed);
    }
    fprintf(log_file(), "%s\n", all.repeats != 0 ? "; repeated:" : "");
    tell_repeats();
    fflush(log_file());
}

static void close_files(void) CDP_NEEDS(&all.lock)
{
    if (all.json != NULL) {
        begin_element();
        fprintf(all.json,
                "{\"check\": \"summary\", \"findings\": %" PRIu64 ", \"left_out\": %" PRIu64
                ", \"repeated\": %" PRIu64 ", \"compiled\": \"",
                all.count, all.count - all.printed, all.repeats);
        print_compiled();
        fputs("\"}", all.json);
        end_array(true);
        fclose(all.json);
        all.json = NULL;
    }
    if (all.log != NULL) {
        fflush(all.log); /* open: remarks may follow */
    }
}

uint64_t cdp_finding_finish(void)
{
    cdp_lock_acquire(&all.lock);
    if (!all.is_finished) {
        all.is_finished = true;
        if (all.count != 0) {
            tell_numbers();
        }
        close_files();
    }
    uint64_t count = all.count;
    cdp_lock_release(&all.lock);
    return count;
}
