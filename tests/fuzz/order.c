/* The order of a random program's accesses.
 *
 * Nodes are events: launches, barriers, warp operations, waits, the begin and end of grids. An edge
 * leads from each event to those that CUDA's rules put after it. Nodes are created in an order that
 * agrees with the edges, so the set of a node's predecessors is complete when it is created.
 *
 * An access is between two events of its thread. a comes before b if the event after a is the event
 * before b, or one of its predecessors.
 *
 * There are two relations. "sure" holds in every schedule. "likely" also has the orders that a
 * schedule gives where the program gives none: the order of two launches into one stream by threads
 * that nothing orders, and the order of a host function and what the host does later. */
#include "order.h"

#include <stdlib.h>

enum {
    MOST_NODES = 16384,
    MOST_ACCESSES = 1 << 18,
    WORDS = MOST_NODES / 64,
    MOST_ITEMS = 64,
    NO_NODE = -1,
};

enum relation { SURE, LIKELY, RELATIONS };

struct set {
    uint64_t word[WORDS];
};

struct access {
    int32_t location, node, next; /* next: NO_NODE until the thread's next event */
    int32_t thread;               /* unique in the program */
    int32_t link;                 /* an earlier access of this thread without a next event, or -1 */
    bool writes;
    struct fuzz_line line;
};

struct graph {
    const struct fuzz_program *program;
    struct set *before[RELATIONS]; /* by node: its predecessors, and itself */
    struct access *accesses;
    int nodes, access_count, threads, blocks;
    bool is_full;
};

/* A thread of a block, the host, or a stream's operation. */
struct actor {
    int node;    /* its latest event */
    int pending; /* its latest access since then, or -1 */
    int thread;  /* its number */
};

/* Work in a stream: the event that gave it, and the event at its end. */
struct item {
    int event, end;
};
struct items {
    struct item item[MOST_ITEMS];
    int count;
};

static bool is_before(const struct graph *graph, enum relation relation, int a, int b)
{
    return (graph->before[relation][b].word[a / 64] >> (a % 64) & 1) != 0;
}

static void add_edge(struct graph *graph, enum relation relation, int from, int to)
{
    if (from != NO_NODE) {
        for (int i = 0; i < WORDS; i++) {
            graph->before[relation][to].word[i] |= graph->before[relation][from].word[i];
        }
    }
}

static void add_edges(struct graph *graph, int from, int to)
{
    add_edge(graph, SURE, from, to);
    add_edge(graph, LIKELY, from, to);
}

static int new_node(struct graph *graph, int from)
{
    if (graph->nodes == MOST_NODES) {
        graph->is_full = true;
        return MOST_NODES - 1;
    }
    int node = graph->nodes++;
    for (int r = 0; r < RELATIONS; r++) {
        memset(&graph->before[r][node], 0, sizeof graph->before[r][node]);
        graph->before[r][node].word[node / 64] |= (uint64_t)1 << (node % 64);
    }
    add_edges(graph, from, node);
    return node;
}

static struct actor new_actor(struct graph *graph, int node)
{
    struct actor actor = {node, -1, graph->threads++};
    return actor;
}

/* The event is the actor's next one. */
static void advance(struct graph *graph, struct actor *actor, int node)
{
    for (int i = actor->pending; i >= 0; i = graph->accesses[i].link) {
        graph->accesses[i].next = node;
    }
    actor->pending = -1;
    actor->node = node;
}

/* A new event of one actor alone. */
static int step_on(struct graph *graph, struct actor *actor)
{
    int node = new_node(graph, actor->node);
    advance(graph, actor, node);
    return node;
}

static void add_access(struct graph *graph, struct actor *actor, int location, bool writes,
                       struct fuzz_line line)
{
    if (graph->access_count == MOST_ACCESSES) {
        graph->is_full = true;
        return;
    }
    struct access access = {location,       actor->node, NO_NODE, actor->thread,
                            actor->pending, writes,      line};
    graph->accesses[graph->access_count] = access;
    actor->pending = graph->access_count++;
}

static void read_inputs(struct graph *graph, struct actor *actor, int inputs, int count)
{
    for (int i = inputs; i < inputs + count; i++) {
        struct fuzz_line line = {FUZZ_LINE_INPUT, i};
        add_access(graph, actor, graph->program->input[i], false, line);
    }
}

/* ---- Streams ---- */

/* The items given before the event come before node: surely if the events are ordered. */
static void wait_for_items(struct graph *graph, const struct items *items, int event, int node)
{
    for (int i = 0; i < items->count; i++) {
        bool is_sure = is_before(graph, SURE, items->item[i].event, event);
        add_edge(graph, LIKELY, items->item[i].end, node);
        if (is_sure) {
            add_edge(graph, SURE, items->item[i].end, node);
        }
    }
}

static void add_item(struct graph *graph, struct items *items, int event, int end)
{
    if (items->count == MOST_ITEMS) {
        graph->is_full = true;
        return;
    }
    items->item[items->count].event = event;
    items->item[items->count++].end = end;
}

/* ---- Grids ---- */

static int run_node(struct graph *graph, int number, int begin);

/* The launches of one block, and its first thread's streams and events. */
struct block {
    struct actor thread[FUZZ_THREADS];
    int shared; /* location of its shared memory */
    struct items stream[FUZZ_FREE];
    struct items children; /* without tails */
    int event[FUZZ_EVENTS];
};

/* Tail launches of a grid: the launching event, and the node. */
struct tails {
    int event[MOST_ITEMS], node[MOST_ITEMS], count;
};

static int first_lane(int thread)
{
    return thread / 32 * 32;
}

/* One event of the threads first to last - 1. */
static void meet(struct graph *graph, struct block *block, int first, int last)
{
    int node = new_node(graph, NO_NODE);
    for (int t = first; t < last; t++) {
        add_edges(graph, block->thread[t].node, node);
    }
    for (int t = first; t < last; t++) {
        advance(graph, &block->thread[t], node);
    }
}

static void meet_warps(struct graph *graph, struct block *block, int threads)
{
    for (int first = 0; first < threads; first = first_lane(first) + 32) {
        meet(graph, block, first, first + (int)fuzz_lanes((uint32_t)first, (uint32_t)threads));
    }
}

static void exchange(struct graph *graph, struct block *block, int threads, int number)
{
    const struct fuzz_step *step = &graph->program->step[number];
    struct fuzz_line share = {FUZZ_LINE_SHARE, number}, take = {FUZZ_LINE_TAKE, number};
    for (int t = 0; t < threads; t++) {
        add_access(graph, &block->thread[t], block->shared + t, true, share);
    }
    if ((step->missing & FUZZ_FIRST_BARRIER) == 0) {
        meet(graph, block, 0, threads);
    }
    for (int t = 0; t < threads; t++) {
        int from = (int)(((uint32_t)t + step->constant) % (uint32_t)threads);
        add_access(graph, &block->thread[t], block->shared + from, false, take);
    }
    if ((step->missing & FUZZ_SECOND_BARRIER) == 0) {
        meet(graph, block, 0, threads);
    }
}

static void launch_child(struct graph *graph, struct block *block, struct tails *tails,
                         const struct fuzz_step *step)
{
    int event = step_on(graph, &block->thread[step->thread]);
    if (step->stream == FUZZ_TAIL) {
        if (tails->count < MOST_ITEMS) {
            tails->event[tails->count] = event;
            tails->node[tails->count++] = step->node;
        }
        return;
    }
    int begin = new_node(graph, event);
    if (step->stream < FUZZ_FREE) {
        wait_for_items(graph, &block->stream[step->stream], event, begin);
    }
    int end = run_node(graph, step->node, begin);
    add_item(graph, &block->children, event, end);
    if (step->stream < FUZZ_FREE) {
        add_item(graph, &block->stream[step->stream], event, end);
    }
}

static void handle_event(struct graph *graph, struct block *block, const struct fuzz_step *step)
{
    int event = step_on(graph, &block->thread[step->thread]);
    int node = new_node(graph, event);
    wait_for_items(graph, &block->stream[step->stream], event, node);
    if (step->kind == FUZZ_RECORD) {
        block->event[step->event] = node;
    } else {
        add_edges(graph, block->event[step->event], node);
        add_item(graph, &block->stream[step->stream], event, node);
    }
}

static void join(struct graph *graph, struct block *block, const struct fuzz_step *step)
{
    struct actor *actor = &block->thread[step->thread];
    int event = step_on(graph, actor), node = new_node(graph, event);
    wait_for_items(graph, &block->children, event, node);
    advance(graph, actor, node);
}

static void run_single(struct graph *graph, struct block *block, struct tails *tails, int number)
{
    const struct fuzz_step *step = &graph->program->step[number];
    struct actor *actor = &block->thread[step->thread];
    struct fuzz_line line = {FUZZ_LINE_WRITE, number};
    switch (step->kind) {
    case FUZZ_LAUNCH:
        launch_child(graph, block, tails, step);
        break;
    case FUZZ_WRITE:
        add_access(graph, actor, step->cell, true, line);
        break;
    case FUZZ_READ:
        read_inputs(graph, actor, step->inputs, step->count);
        break;
    case FUZZ_RECORD:
    case FUZZ_WAIT:
        handle_event(graph, block, step);
        break;
    case FUZZ_JOIN:
        join(graph, block, step);
        break;
    }
}

static void run_common(struct graph *graph, struct block *block, const struct fuzz_node *node,
                       int number)
{
    switch (graph->program->step[number].kind) {
    case FUZZ_EXCHANGE:
        exchange(graph, block, node->threads, number);
        break;
    case FUZZ_VOTE:
        meet(graph, block, 0, node->threads);
        break;
    case FUZZ_SHUFFLE:
    case FUZZ_BALLOT:
        meet_warps(graph, block, node->threads);
        break;
    }
}

static void begin_block(struct graph *graph, struct block *block, const struct fuzz_node *node,
                        int begin)
{
    memset(block, 0, sizeof *block);
    for (int i = 0; i < FUZZ_EVENTS; i++) {
        block->event[i] = NO_NODE;
    }
    block->shared = FUZZ_CELLS + FUZZ_THREADS * graph->blocks++;
    for (int t = 0; t < node->threads; t++) {
        block->thread[t] = new_actor(graph, begin);
        read_inputs(graph, &block->thread[t], node->inputs, node->input_count);
    }
}

/* Everything of the block comes before end. */
static void run_block(struct graph *graph, int number, int index, struct tails *tails, int begin,
                      int end)
{
    const struct fuzz_node *node = &graph->program->node[number];
    struct fuzz_line line = {FUZZ_LINE_OUT, number};
    struct block *block = (struct block *)malloc(sizeof *block);
    begin_block(graph, block, node, begin);
    for (int i = node->steps; i < node->steps + node->step_count; i++) {
        const struct fuzz_step *step = &graph->program->step[i];
        if (step->kind < FUZZ_LAUNCH) {
            run_common(graph, block, node, i);
        } else if (step->block == index) {
            run_single(graph, block, tails, i);
        }
    }
    for (int t = 0; t < node->threads; t++) {
        add_access(graph, &block->thread[t], node->out + index * node->threads + t, true, line);
    }
    meet(graph, block, 0, node->threads);
    add_item(graph, &block->children, block->thread[0].node, block->thread[0].node);
    for (int i = 0; i < block->children.count; i++) {
        add_edges(graph, block->children.item[i].end, end);
    }
    free(block);
}

/* Tail launches begin when everything else of their grid is complete, one after the other. */
static int run_tails(struct graph *graph, const struct tails *tails, int body)
{
    struct items done = {.count = 0};
    int end = new_node(graph, body);
    for (int i = 0; i < tails->count; i++) {
        int begin = new_node(graph, body);
        wait_for_items(graph, &done, tails->event[i], begin);
        int after = run_node(graph, tails->node[i], begin);
        add_item(graph, &done, tails->event[i], after);
        add_edges(graph, after, end);
    }
    return end;
}

/* A copy of one cell, or a function of the host. */
static int run_operation(struct graph *graph, int number, int begin)
{
    const struct fuzz_node *node = &graph->program->node[number];
    bool is_copy = node->kind == FUZZ_COPY;
    struct fuzz_line copy = {FUZZ_LINE_COPY, number}, out = {FUZZ_LINE_OUT, number};
    struct actor actor = new_actor(graph, begin);
    if (is_copy) {
        add_access(graph, &actor, graph->program->input[node->inputs], false, copy);
    } else {
        read_inputs(graph, &actor, node->inputs, node->input_count);
    }
    add_access(graph, &actor, node->out, true, is_copy ? copy : out);
    return step_on(graph, &actor);
}

/* Returns the event at the end of the node, with its tail launches. */
static int run_node(struct graph *graph, int number, int begin)
{
    const struct fuzz_node *node = &graph->program->node[number];
    struct tails tails = {.count = 0};
    if (node->kind != FUZZ_GRID) {
        return run_operation(graph, number, begin);
    }
    int body = new_node(graph, begin);
    for (int b = 0; b < node->blocks && !graph->is_full; b++) {
        run_block(graph, number, b, &tails, begin, body);
    }
    return tails.count == 0 ? body : run_tails(graph, &tails, body);
}

/* ---- The host ---- */

struct host {
    struct actor actor;
    struct items calls; /* host functions */
    struct items stream[FUZZ_STREAMS];
    int event[FUZZ_EVENTS];
};

/* The legacy NULL stream waits for the streams that do not set cudaStreamNonBlocking, and these
 * wait for it. */
static void wait_for_legacy(struct graph *graph, const struct host *host, int stream, int node,
                            bool is_sure)
{
    for (int other = 0; other < FUZZ_THREE; other++) {
        bool waits =
            stream != FUZZ_THREE && other != stream && (stream == FUZZ_NULL || other == FUZZ_NULL);
        for (int i = 0; waits && i < host->stream[other].count; i++) {
            add_edge(graph, LIKELY, host->stream[other].item[i].end, node);
            if (is_sure) {
                add_edge(graph, SURE, host->stream[other].item[i].end, node);
            }
        }
    }
}

/* The begin of an operation of the stream. */
static int enqueue(struct graph *graph, struct host *host, int stream, bool is_sure, int *event)
{
    *event = step_on(graph, &host->actor);
    int begin = new_node(graph, *event);
    wait_for_items(graph, &host->stream[stream], *event, begin);
    wait_for_legacy(graph, host, stream, begin, is_sure);
    return begin;
}

static void host_launch(struct graph *graph, struct host *host, const struct fuzz_step *step)
{
    int event, begin = enqueue(graph, host, step->stream, true, &event);
    int end = run_node(graph, step->node, begin);
    add_item(graph, &host->stream[step->stream], event, end);
    if (graph->program->node[step->node].kind == FUZZ_CALL) {
        add_item(graph, &host->calls, event, end);
    }
}

/* A host function may have run by now, and could have told the host so. The check takes that as an
 * order. */
static void follow_calls(struct graph *graph, struct host *host)
{
    if (host->calls.count > 0) {
        int node = step_on(graph, &host->actor);
        for (int i = 0; i < host->calls.count; i++) {
            add_edge(graph, LIKELY, host->calls.item[i].end, node);
        }
    }
}

/* Whether events in the NULL stream also wait for other streams, and these for them, is left
 * open. So it is for a wait of the host for the NULL stream. */
static void host_event(struct graph *graph, struct host *host, const struct fuzz_step *step)
{
    int event, node = enqueue(graph, host, step->stream, false, &event);
    if (step->kind == FUZZ_RECORD) {
        host->event[step->event] = node;
    } else {
        add_edges(graph, host->event[step->event], node);
    }
    add_item(graph, &host->stream[step->stream], event, node);
}

static void host_wait(struct graph *graph, struct host *host, const struct fuzz_step *step)
{
    int event = step_on(graph, &host->actor), node = new_node(graph, event);
    for (int s = 0; s < FUZZ_STREAMS; s++) {
        if (step->kind == FUZZ_JOIN || s == step->stream) {
            wait_for_items(graph, &host->stream[s], event, node);
        }
    }
    if (step->kind == FUZZ_SYNC && step->stream == FUZZ_NULL) {
        wait_for_legacy(graph, host, FUZZ_NULL, node, false);
    }
    advance(graph, &host->actor, node);
}

static void run_host_step(struct graph *graph, struct host *host, const struct fuzz_step *step)
{
    follow_calls(graph, host);
    switch (step->kind) {
    case FUZZ_LAUNCH:
        host_launch(graph, host, step);
        break;
    case FUZZ_READ:
        read_inputs(graph, &host->actor, step->inputs, step->count);
        break;
    case FUZZ_RECORD:
    case FUZZ_WAIT:
        host_event(graph, host, step);
        break;
    case FUZZ_JOIN:
    case FUZZ_SYNC:
        host_wait(graph, host, step);
        break;
    }
}

static void run_program(struct graph *graph)
{
    const struct fuzz_program *program = graph->program;
    struct host *host = (struct host *)calloc(1, sizeof *host);
    host->actor = new_actor(graph, new_node(graph, NO_NODE));
    for (int i = 0; i < FUZZ_EVENTS; i++) {
        host->event[i] = NO_NODE;
    }
    for (int i = 0; i < program->host_step_count && !graph->is_full; i++) {
        run_host_step(graph, host, &program->step[program->host_steps + i]);
    }
    free(host);
}

/* ---- Races ---- */

static bool comes_before(const struct graph *graph, enum relation relation, const struct access *a,
                         const struct access *b)
{
    return a->next != NO_NODE && is_before(graph, relation, a->next, b->node);
}

static bool is_ordered(const struct graph *graph, enum relation relation, const struct access *a,
                       const struct access *b)
{
    return a->thread == b->thread || comes_before(graph, relation, a, b) ||
           comes_before(graph, relation, b, a);
}

static bool is_same_line(const struct fuzz_line *a, const struct fuzz_line *b)
{
    return a->kind == b->kind && a->number == b->number;
}

static void add_race(const struct fuzz_race *race, struct fuzz_race *races, int most, int *count)
{
    for (int i = 0; i < *count; i++) {
        if (is_same_line(&races[i].a, &race->a) && is_same_line(&races[i].b, &race->b)) {
            races[i].is_certain |= race->is_certain;
            return;
        }
    }
    if (*count < most) {
        races[(*count)++] = *race;
    }
}

/* By location, then in program order. */
static int compare(const void *left, const void *right)
{
    const struct access *a = (const struct access *)left, *b = (const struct access *)right;
    if (a->location != b->location) {
        return a->location < b->location ? -1 : 1;
    }
    return a->thread != b->thread ? (a->thread < b->thread ? -1 : 1) : a->node - b->node;
}

static int find_races(struct graph *graph, struct fuzz_race *races, int most)
{
    int count = 0;
    qsort(graph->accesses, (size_t)graph->access_count, sizeof graph->accesses[0], compare);
    for (int i = 0; i < graph->access_count; i++) {
        const struct access *a = &graph->accesses[i];
        for (int j = i + 1; j < graph->access_count && a[j - i].location == a->location; j++) {
            const struct access *b = &a[j - i];
            if ((a->writes || b->writes) && !is_ordered(graph, SURE, a, b)) {
                struct fuzz_race race = {a->line, b->line, !is_ordered(graph, LIKELY, a, b)};
                add_race(&race, races, most, &count);
            }
        }
    }
    return count;
}

int fuzz_races(const struct fuzz_program *program, struct fuzz_race *races, int most)
{
    struct graph graph = {.program = program};
    for (int r = 0; r < RELATIONS; r++) {
        graph.before[r] = (struct set *)malloc(MOST_NODES * sizeof(struct set));
    }
    graph.accesses = (struct access *)malloc(MOST_ACCESSES * sizeof(struct access));
    run_program(&graph);
    int count = graph.is_full ? -1 : find_races(&graph, races, most);
    for (int r = 0; r < RELATIONS; r++) {
        free(graph.before[r]);
    }
    free(graph.accesses);
    return count;
}

/* ---- Planting ---- */

static bool has_certain(const struct fuzz_race *races, int count)
{
    for (int i = 0; i < count; i++) {
        if (races[i].is_certain) {
            return true;
        }
    }
    return false;
}

/* The write that the launch after it passes to its child: it comes after the launch instead. */
static bool delay_write(struct fuzz_step *step)
{
    if (step[1].kind != FUZZ_LAUNCH || step[1].block != step->block ||
        step[1].thread != step->thread) {
        return false;
    }
    struct fuzz_step write = step[0];
    step[0] = step[1];
    step[1] = write;
    return true;
}

/* Removes what the step orders. NULL if it orders nothing. */
static const char *remove_order(struct fuzz_program *program, int number, uint64_t random)
{
    struct fuzz_step *step = &program->step[number];
    bool is_last = number + 1 == program->steps;
    switch (step->kind) {
    case FUZZ_EXCHANGE:
        step->missing = random % 2 == 0 ? FUZZ_FIRST_BARRIER : FUZZ_SECOND_BARRIER;
        return "a barrier";
    case FUZZ_JOIN:
        step->kind = FUZZ_NOTHING;
        return "a cudaDeviceSynchronize";
    case FUZZ_SYNC:
        step->kind = FUZZ_NOTHING;
        return "a cudaStreamSynchronize";
    case FUZZ_WAIT:
        step->kind = FUZZ_NOTHING;
        return "a wait for an event";
    case FUZZ_LAUNCH:
        if (step->stream >= FUZZ_FREE || program->node[step->node].kind != FUZZ_GRID) {
            return NULL;
        }
        step->stream = FUZZ_FREE; /* on the host: the stream that waits for no other */
        return "the order of a stream";
    case FUZZ_WRITE:
        return !is_last && delay_write(step) ? "a write before a launch" : NULL;
    default:
        return NULL;
    }
}

/* A query that succeeds would order, so a changed program has none. */
static void remove_queries(struct fuzz_program *program)
{
    for (int i = 0; i < program->steps; i++) {
        if (program->step[i].kind == FUZZ_QUERY) {
            program->step[i].kind = FUZZ_NOTHING;
        }
    }
}

const char *fuzz_plant(struct fuzz_program *program, uint64_t number, struct fuzz_race *races,
                       int most, int *count)
{
    static struct fuzz_program original;
    remove_queries(program);
    original = *program;
    for (int i = 0; i < program->steps; i++) {
        uint64_t random = fuzz_mix(number, (uint64_t)i);
        int at = (int)((number + (uint64_t)i * 7919) % (uint64_t)program->steps);
        const char *removed = remove_order(program, at, random);
        *count = removed != NULL ? fuzz_races(program, races, most) : 0;
        if (*count > 0 && has_certain(races, *count)) {
            return removed;
        }
        *program = original;
    }
    return NULL;
}
