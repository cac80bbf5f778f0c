/* NVTX (compat/nvToolsExt.h): ranges and marks of the program, for CDP_TRACE and CDP_PROFILE.
 * Without both nothing is recorded: then the program gets NVTX_NO_PUSH_POP_TRACKING, as it does on
 * a GPU without a profiler. */
#define __CDP_NVTX_DEFINES
#include "cdp/nvtx_abi.h"

#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "api/exit.h"
#include "api/nvtx.h"
#include "base/alloc.h"
#include "base/attr.h"
#include "base/handle.h"
#include "base/lock.h"
#include "exec/report/json.h"
#include "exec/report/profile.h"
#include "exec/report/recorder.h"
#include "exec/report/timeline.h"
#include "os/os.h"

enum { MOST_DEPTH = 256, NO_TRACKING = -2 /* NVTX_NO_PUSH_POP_TRACKING */ };

/* ---- Texts ---- */

static struct {
    struct cdp_lock lock;
    void *tree CDP_GUARDED_BY(&lock); /* of texts, by tsearch */
} texts = {.lock = CDP_LOCK_INITIAL(CDP_RANK_RECORDER)};

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The text is kept for ever: ranges that have it are printed at the end of the program. */
CDP_EXPORT const char *__cdp_nvtx_text(const char *text)
{
    cdp_lock_acquire(&texts.lock);
    void *found = tfind(text, &texts.tree, compare);
    if (found == NULL) {
        char *copy = cdp_alloc_text(text);
        if (copy != NULL) {
            found = tsearch(copy, &texts.tree, compare);
        }
    }
    cdp_lock_release(&texts.lock);
    return found != NULL ? *(const char **)found : NULL;
}

CDP_EXPORT const char *__cdp_nvtx_wide_text(const wchar_t *text)
{
    size_t size = 4 * wcslen(text) + 1;
    char *narrow = cdp_alloc(size);
    if (narrow == NULL) {
        return NULL;
    }
    char *end = narrow;
    for (; *text != 0; text++) { /* UTF-8, whatever the locale is */
        uint32_t c = (uint32_t)*text;
        if (c < 0x80) {
            *end++ = (char)c;
        } else if (c < 0x800) {
            *end++ = (char)(0xc0 | c >> 6);
            *end++ = (char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            *end++ = (char)(0xe0 | c >> 12);
            *end++ = (char)(0x80 | (c >> 6 & 0x3f));
            *end++ = (char)(0x80 | (c & 0x3f));
        } else {
            *end++ = (char)(0xf0 | (c >> 18 & 7));
            *end++ = (char)(0x80 | (c >> 12 & 0x3f));
            *end++ = (char)(0x80 | (c >> 6 & 0x3f));
            *end++ = (char)(0x80 | (c & 0x3f));
        }
    }
    *end = '\0';
    const char *kept = __cdp_nvtx_text(narrow);
    cdp_free(narrow);
    return kept;
}

/* ---- Attributes of events ---- */

struct category {
    const char *domain, *name;
    uint32_t number;
    struct category *next;
};

static struct {
    struct cdp_lock lock;
    struct category *first CDP_GUARDED_BY(&lock); /* owned; the latest name of each counts */
} categories = {.lock = CDP_LOCK_INITIAL(CDP_RANK_RECORDER)};

CDP_EXPORT void __cdp_nvtx_name_category(const char *domain, uint32_t number, const char *text)
{
    struct category *made = cdp_timeline_is_on && text != NULL ? cdp_alloc(sizeof *made) : NULL;
    if (made != NULL) {
        cdp_lock_acquire(&categories.lock);
        *made = (struct category){domain, text, number, categories.first};
        categories.first = made;
        cdp_lock_release(&categories.lock);
    }
}

/* NULL: it has none. */
static const char *category_name(const char *domain, uint32_t number)
{
    cdp_lock_acquire(&categories.lock);
    const struct category *at = categories.first;
    while (at != NULL && (at->domain != domain || at->number != number)) {
        at = at->next;
    }
    const char *name = at != NULL ? at->name : NULL;
    cdp_lock_release(&categories.lock);
    return name;
}

static void print_payload(FILE *file, const nvtxEventAttributes_t *event)
{
    switch (event->payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
        fprintf(file, ",\"payload\":%" PRIu64, event->payload.ullValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT64:
        fprintf(file, ",\"payload\":%" PRIi64, event->payload.llValue);
        break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
        fprintf(file, ",\"payload\":%" PRIu32, event->payload.uiValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT32:
        fprintf(file, ",\"payload\":%" PRIi32, event->payload.iValue);
        break;
    case NVTX_PAYLOAD_TYPE_DOUBLE: /* a text: JSON has no infinity */
        fprintf(file, ",\"payload\":\"%g\"", event->payload.dValue);
        break;
    case NVTX_PAYLOAD_TYPE_FLOAT:
        fprintf(file, ",\"payload\":\"%g\"", (double)event->payload.fValue);
        break;
    default:
        break;
    }
}

static void print_attributes(FILE *file, const char *domain, const nvtxEventAttributes_t *event)
{
    const char *name = category_name(domain, event->category);
    if (name != NULL) {
        fprintf(file, ",\"category\":");
        cdp_json_print_text(file, name);
    } else if (event->category != 0) {
        fprintf(file, ",\"category\":%" PRIu32, event->category);
    }
    if (event->colorType == NVTX_COLOR_ARGB) {
        fprintf(file, ",\"color\":\"#%06" PRIx32 "\"", event->color & 0xffffff);
    }
    print_payload(file, event);
}

/* Category, colour and payload as members of a JSON object; NULL: none, or nothing is traced. */
static const char *detail_of(const char *domain, const nvtxEventAttributes_t *event)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = cdp_timeline_is_on && event != NULL ? open_memstream(&text, &length) : NULL;
    if (file == NULL) {
        return NULL;
    }
    print_attributes(file, domain, event);
    bool is_whole = fclose(file) == 0;
    const char *kept = is_whole && length > 1 ? __cdp_nvtx_text(text + 1) : NULL; /* the comma */
    free(text); /* the C library's */
    return kept;
}

/* ---- Ranges of a thread ---- */

static pthread_once_t prepare_once = PTHREAD_ONCE_INIT;

/* Whether the program is profiled or traced. */
static bool is_recorded(void)
{
    if (cdp_profile_is_on) {
        pthread_once(&prepare_once, cdp_exit_prepare_ranges);
    }
    return cdp_profile_is_on;
}

struct open_range {
    const char *domain, *text, *detail;
    uint64_t began;
};

/* The open ranges of a thread; its recorder owns them. */
struct range_stack {
    unsigned depth;                       /* may exceed MOST_DEPTH: deeper ones are only counted */
    struct open_range ranges[MOST_DEPTH]; /* in the order of their starts */
};

/* NULL: nothing is recorded, or there is no memory. */
static struct range_stack *own_stack(void)
{
    struct cdp_recorder *own = is_recorded() ? cdp_recorder_own() : NULL;
    if (own != NULL && own->ranges == NULL) {
        own->ranges = cdp_alloc_zero(sizeof(struct range_stack));
    }
    return own != NULL ? own->ranges : NULL;
}

static int depth_in(const struct range_stack *stack, const char *domain)
{
    int depth = 0;
    for (unsigned i = 0; i < stack->depth && i < MOST_DEPTH; i++) {
        depth += stack->ranges[i].domain == domain;
    }
    return depth;
}

CDP_EXPORT int __cdp_nvtx_push_event(const char *domain, const char *text,
                                     const nvtxEventAttributes_t *event)
{
    struct range_stack *stack = own_stack();
    if (stack == NULL) {
        return NO_TRACKING;
    }
    int depth = depth_in(stack, domain);
    if (stack->depth < MOST_DEPTH) {
        const char *detail = detail_of(domain, event);
        stack->ranges[stack->depth] = (struct open_range){domain, text, detail, cdp_os_now()};
    }
    stack->depth++;
    return depth;
}

CDP_EXPORT int __cdp_nvtx_push(const char *domain, const char *text)
{
    return __cdp_nvtx_push_event(domain, text, NULL);
}

/* The latest range of the domain. Ranges of several domains may end in any order. */
CDP_EXPORT int __cdp_nvtx_pop(const char *domain)
{
    struct range_stack *stack = own_stack();
    if (stack == NULL || stack->depth == 0) {
        return NO_TRACKING;
    }
    if (stack->depth > MOST_DEPTH) {
        stack->depth--;
        return MOST_DEPTH;
    }
    unsigned at = stack->depth;
    while (at != 0 && stack->ranges[at - 1].domain != domain) {
        at--;
    }
    if (at == 0) {
        return NO_TRACKING;
    }
    struct open_range range = stack->ranges[at - 1];
    bool nests = at == stack->depth;
    memmove(&stack->ranges[at - 1], &stack->ranges[at], (stack->depth - at) * sizeof range);
    stack->depth--;
    /* A range that overlaps another one does not fit into the thread's track. */
    uint64_t id = nests ? 0 : cdp_timeline_number();
    struct cdp_profile_range ended = {domain, range.text, range.detail, range.began, id};
    cdp_profile_ranged(&ended);
    return depth_in(stack, domain);
}

CDP_EXPORT void __cdp_nvtx_mark_event(const char *domain, const char *text,
                                      const nvtxEventAttributes_t *event)
{
    if (is_recorded()) {
        cdp_profile_mark(domain, text, detail_of(domain, event));
    }
}

CDP_EXPORT void __cdp_nvtx_mark(const char *domain, const char *text)
{
    __cdp_nvtx_mark_event(domain, text, NULL);
}

/* ---- Ranges of the process ---- */

enum { RANGE_TAG = 0x4e /* 'N' */ };

/* Ranges from their starts to their ends, by their ids. Owned by the table. */
static struct {
    struct cdp_lock lock;
    struct cdp_handle_table table CDP_GUARDED_BY(&lock);
} started = {.lock = CDP_LOCK_INITIAL(CDP_RANK_RECORDER), .table = {.tag = RANGE_TAG}};

CDP_EXPORT uint64_t __cdp_nvtx_start_event(const char *domain, const char *text,
                                           const nvtxEventAttributes_t *event)
{
    struct open_range *range = is_recorded() ? cdp_alloc(sizeof *range) : NULL;
    if (range == NULL) {
        return 0;
    }
    *range = (struct open_range){domain, text, detail_of(domain, event), cdp_os_now()};
    cdp_lock_acquire(&started.lock);
    uint64_t id = cdp_handle_create(&started.table, range);
    cdp_lock_release(&started.lock);
    if (id == 0) {
        cdp_free(range);
    }
    return id;
}

CDP_EXPORT uint64_t __cdp_nvtx_start(const char *domain, const char *text)
{
    return __cdp_nvtx_start_event(domain, text, NULL);
}

CDP_EXPORT void __cdp_nvtx_end(uint64_t id)
{
    cdp_lock_acquire(&started.lock);
    struct open_range *range = cdp_handle_remove(&started.table, id);
    cdp_lock_release(&started.lock);
    if (range != NULL) {
        struct cdp_profile_range ended = {range->domain, range->text, range->detail, range->began,
                                          id};
        cdp_profile_ranged(&ended);
        cdp_free(range);
    }
}

/* ---- Names ---- */

CDP_EXPORT void __cdp_nvtx_name_thread(uint32_t thread, const char *text)
{
    if (is_recorded() && text != NULL) {
        cdp_recorder_name_thread(thread, text);
    }
}

CDP_EXPORT void __cdp_nvtx_name_stream(const void *stream, const char *text)
{
    if (cdp_profile_is_on && text != NULL) {
        cdp_recorder_name_stream((uintptr_t)stream, text);
    }
}

void cdp_nvtx_link(void)
{
}
