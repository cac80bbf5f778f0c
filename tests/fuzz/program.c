/* Generates random programs, and runs them sequentially. */
#include "program.h"

/* The launches and writes of one block, or of the host, so far, as ranges of cells (a grid's cells
 * are followed by those of its descendants), and who may rely on which; masks of ranges. */
struct scope {
    int32_t first[64], end[64];
    int count;
    uint64_t stream[FUZZ_STREAMS]; /* complete before the next work in that stream */
    uint64_t event[FUZZ_EVENTS];
    uint64_t joined;        /* complete for the scope's first thread */
    uint64_t seen;          /* the part that other threads see, since the last barrier */
    uint64_t launched;      /* by the first thread, without tails */
    uint64_t others;        /* by the others, and */
    uint64_t others_before; /* before the last barrier */
    uint64_t tails;
};

struct maker {
    struct fuzz_program *program;
    uint64_t random;
    int budget; /* number of nodes that may still be generated */
};

static uint32_t draw(struct maker *maker, uint32_t count)
{
    maker->random = maker->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((maker->random >> 32) * count >> 32);
}

static int bit_of(struct maker *maker, uint64_t mask)
{
    int skip = (int)draw(maker, (uint32_t)__builtin_popcountll(mask));
    while (skip-- > 0) {
        mask &= mask - 1;
    }
    return __builtin_ctzll(mask);
}

/* Up to three cells of the ranges in mask. */
static void choose_inputs(struct maker *maker, const struct scope *scope, uint64_t mask,
                          int16_t *inputs, int16_t *count)
{
    struct fuzz_program *program = maker->program;
    *inputs = (int16_t)program->inputs;
    *count = 0;
    for (int i = 0; mask != 0 && i < 3 && program->inputs < FUZZ_INPUTS; i++) {
        int range = bit_of(maker, mask);
        int32_t size = scope->end[range] - scope->first[range];
        program->input[program->inputs++] =
            scope->first[range] + (int32_t)draw(maker, (uint32_t)size);
        (*count)++;
    }
}

static uint64_t add_range(struct scope *scope, int32_t first, int32_t end)
{
    scope->first[scope->count] = first;
    scope->end[scope->count] = end;
    return (uint64_t)1 << scope->count++;
}

static int make_node(struct maker *maker, const struct scope *scope, uint64_t before, int depth,
                     enum fuzz_kind kind);

/* Whether the limits allow one more node of any kind, at any depth. */
static int has_room(const struct maker *maker, const struct scope *scope)
{
    const struct fuzz_program *program = maker->program;
    return scope->count < 60 && program->inputs + 16 < FUZZ_INPUTS &&
           program->steps + 48 * FUZZ_DEPTH < FUZZ_STEPS &&
           program->cells + FUZZ_THREADS * FUZZ_BLOCKS + 64 < FUZZ_CELLS - FUZZ_SUMS;
}

/* ---- One block's steps ---- */

/* The steps of a node under construction. They are stored separately, because its children's steps
 * come in between. */
struct script {
    struct fuzz_step step[48];
    int count;
};

static struct fuzz_step *next_step(struct script *script, enum fuzz_step_kind kind, int block,
                                   int thread)
{
    struct fuzz_step *step = &script->step[script->count++];
    memset(step, 0, sizeof *step);
    step->kind = (uint8_t)kind;
    step->block = (uint8_t)block;
    step->thread = (uint8_t)thread;
    return step;
}

static uint64_t write_cell(struct maker *maker, struct script *script, struct scope *scope,
                           int block, int thread)
{
    struct fuzz_step *step = next_step(script, FUZZ_WRITE, block, thread);
    step->cell = maker->program->cells++;
    return add_range(scope, step->cell, step->cell + 1);
}

/* The ranges on which a launch into the stream may rely. */
static uint64_t before_launch(const struct scope *scope, int stream, int thread)
{
    if (stream == FUZZ_TAIL) {
        uint64_t earlier = thread == 0 ? scope->tails : 0;
        return scope->joined | scope->launched | scope->others | earlier;
    }
    uint64_t known = thread == 0 ? scope->joined : scope->seen;
    return thread == 0 && stream < FUZZ_FREE ? known | scope->stream[stream] : known;
}

static void note_launch(struct scope *scope, uint64_t range, uint64_t before, int stream,
                        int thread)
{
    if (stream == FUZZ_TAIL) {
        scope->tails |= thread == 0 ? range : 0; /* others' have no order among them */
    } else if (thread == 0) {
        scope->launched |= range;
        if (stream < FUZZ_FREE) {
            scope->stream[stream] = before | range;
        }
    } else {
        scope->others |= range;
    }
}

/* Only the first thread has streams of its own. */
static int choose_stream(struct maker *maker, int thread)
{
    static const int of_others[] = {FUZZ_NULL, FUZZ_FREE, FUZZ_TAIL};
    return thread == 0 ? (int)draw(maker, 5) : of_others[draw(maker, 3)];
}

/* Who launches, into which stream, and what the child reads, if that matters. */
struct launch {
    int block, thread, stream;
    uint64_t inputs;
};

static void make_launch(struct maker *maker, struct script *script, struct scope *scope,
                        const struct fuzz_node *node, const struct launch *launch)
{
    int thread = launch->thread, stream = launch->stream;
    uint64_t before = before_launch(scope, stream, thread), inputs = launch->inputs;
    if (inputs == 0 && draw(maker, 2) == 0) {
        before |= write_cell(maker, script, scope, launch->block, thread);
    }
    inputs = inputs != 0 ? inputs : before;
    enum fuzz_kind kind =
        stream < FUZZ_FREE && inputs != 0 && draw(maker, 6) == 0 ? FUZZ_COPY : FUZZ_GRID;
    struct fuzz_step *step = next_step(script, FUZZ_LAUNCH, launch->block, thread);
    step->stream = (uint8_t)stream;
    int32_t first = maker->program->cells;
    step->node = (int16_t)make_node(maker, scope, inputs, node->depth + 1, kind);
    note_launch(scope, add_range(scope, first, maker->program->cells), before, stream, thread);
}

static void make_any_launch(struct maker *maker, struct script *script, struct scope *scope,
                            const struct fuzz_node *node, int block)
{
    struct launch launch = {.block = block};
    launch.thread = draw(maker, 3) != 0 ? 0 : (int)draw(maker, node->threads);
    launch.stream = choose_stream(maker, launch.thread);
    make_launch(maker, script, scope, node, &launch);
}

/* One stream's work waits for another's, by an event; returns the other stream's ranges. */
static uint64_t make_handover(struct maker *maker, struct script *script, struct scope *scope,
                              int block, int *stream)
{
    int streams = *stream, from = (int)draw(maker, (uint32_t)streams);
    *stream = (from + 1 + (int)draw(maker, (uint32_t)streams - 1)) % streams;
    int event = (int)draw(maker, FUZZ_EVENTS);
    struct fuzz_step *record = next_step(script, FUZZ_RECORD, block, 0);
    struct fuzz_step *wait = next_step(script, FUZZ_WAIT, block, 0);
    record->stream = (uint8_t)from;
    wait->stream = (uint8_t)*stream;
    record->event = wait->event = (uint8_t)event;
    scope->event[event] = scope->stream[from];
    scope->stream[*stream] |= scope->event[event];
    return scope->event[event];
}

static void make_join(struct maker *maker, struct script *script, struct scope *scope, int block)
{
    next_step(script, FUZZ_JOIN, block, 0);
    scope->joined |= scope->launched | scope->others_before;
    if (scope->joined != 0) {
        struct fuzz_step *step = next_step(script, FUZZ_READ, block, 0);
        choose_inputs(maker, scope, scope->joined, &step->inputs, &step->count);
    }
}

static void make_event(struct maker *maker, struct script *script, struct scope *scope, int block)
{
    int record = draw(maker, 2) == 0;
    struct fuzz_step *step = next_step(script, record ? FUZZ_RECORD : FUZZ_WAIT, block, 0);
    step->stream = (uint8_t)draw(maker, 3);
    step->event = (uint8_t)draw(maker, FUZZ_EVENTS);
    if (record) {
        scope->event[step->event] = scope->stream[step->stream];
    } else {
        scope->stream[step->stream] |= scope->event[step->event];
    }
}

static void make_common(struct maker *maker, struct script *script, struct scope *scopes,
                        int blocks)
{
    static const uint8_t kinds[] = {FUZZ_MIX,     FUZZ_EXCHANGE, FUZZ_EXCHANGE, FUZZ_VOTE,
                                    FUZZ_SHUFFLE, FUZZ_BALLOT,   FUZZ_ADD};
    struct fuzz_step *step =
        next_step(script, (enum fuzz_step_kind)kinds[draw(maker, sizeof kinds)], 0, 0);
    step->constant = draw(maker, 1u << 30);
    if (step->kind == FUZZ_EXCHANGE || step->kind == FUZZ_VOTE) {
        for (int i = 0; i < blocks; i++) {
            scopes[i].seen = scopes[i].joined;
            scopes[i].others_before = scopes[i].others;
        }
    }
}

static int may_launch(const struct maker *maker, const struct scope *scope,
                      const struct fuzz_node *node)
{
    return maker->budget > 0 && node->depth + 1 < FUZZ_DEPTH && has_room(maker, scope);
}

static void make_step(struct maker *maker, struct script *script, struct scope *scopes,
                      const struct fuzz_node *node)
{
    struct launch launch = {.block = (int)draw(maker, node->blocks), .stream = 3};
    struct scope *scope = &scopes[launch.block];
    uint32_t choice = draw(maker, 9);
    if (choice < 3 && may_launch(maker, scope, node)) {
        make_any_launch(maker, script, scope, node, launch.block);
    } else if (choice == 3) {
        make_join(maker, script, scope, launch.block);
    } else if (choice == 4) {
        make_event(maker, script, scope, launch.block);
    } else if (choice == 5 && may_launch(maker, scope, node)) {
        launch.inputs = make_handover(maker, script, scope, launch.block, &launch.stream);
        make_launch(maker, script, scope, node, &launch);
    } else {
        make_common(maker, script, scopes, node->blocks);
    }
}

/* ---- Nodes ---- */

static void shape_grid(struct maker *maker, struct fuzz_node *node)
{
    static const uint8_t threads[] = {1, 2, 5, 16, 31, 32, 33, 48, 64};
    node->blocks = (uint8_t)(1 + draw(maker, FUZZ_BLOCKS + 2) % FUZZ_BLOCKS);
    node->threads = threads[draw(maker, sizeof threads)];
    node->dynamic_shared = draw(maker, 3) == 0 ? draw(maker, 4096) : 0;
}

static void keep_script(struct fuzz_program *program, const struct script *script, int16_t *first,
                        int16_t *count)
{
    *first = (int16_t)program->steps;
    *count = (int16_t)script->count;
    memcpy(&program->step[program->steps], script->step,
           (size_t)script->count * sizeof script->step[0]);
    program->steps += script->count;
}

static void make_steps(struct maker *maker, struct fuzz_node *node)
{
    struct fuzz_program *program = maker->program;
    struct scope scopes[FUZZ_BLOCKS];
    struct script script;
    memset(scopes, 0, sizeof scopes);
    script.count = 0;
    for (int count = 2 + (int)draw(maker, 10); count > 0; count--) {
        make_step(maker, &script, scopes, node);
    }
    keep_script(program, &script, &node->steps, &node->step_count);
}

static int make_node(struct maker *maker, const struct scope *scope, uint64_t before, int depth,
                     enum fuzz_kind kind)
{
    struct fuzz_program *program = maker->program;
    int number = program->nodes++;
    struct fuzz_node *node = &program->node[number];
    memset(node, 0, sizeof *node);
    maker->budget--;
    node->kind = (uint8_t)kind;
    node->blocks = node->threads = 1;
    node->depth = (uint8_t)depth;
    choose_inputs(maker, scope, before, &node->inputs, &node->input_count);
    if (kind == FUZZ_GRID) {
        shape_grid(maker, node);
    }
    node->out = program->cells;
    program->cells += node->blocks * node->threads;
    if (kind == FUZZ_GRID) {
        make_steps(maker, node);
    }
    return number;
}

/* ---- The host's steps ---- */

static uint64_t before_on_host(const struct scope *scope, int stream)
{
    uint64_t before = scope->joined | scope->stream[stream];
    if (stream == FUZZ_NULL) {
        before |= scope->stream[FUZZ_ONE] | scope->stream[FUZZ_TWO];
    } else if (stream != FUZZ_THREE) {
        before |= scope->stream[FUZZ_NULL];
    }
    return before;
}

static void make_host_launch(struct maker *maker, struct script *script, struct scope *scope,
                             const struct launch *launch)
{
    uint64_t before = before_on_host(scope, launch->stream);
    uint64_t inputs = launch->inputs != 0 ? launch->inputs : before;
    enum fuzz_kind kind = FUZZ_GRID;
    if (inputs != 0) {
        static const uint8_t kinds[] = {FUZZ_GRID, FUZZ_GRID, FUZZ_GRID, FUZZ_COPY, FUZZ_CALL};
        kind = (enum fuzz_kind)kinds[draw(maker, sizeof kinds)];
    }
    int32_t first = maker->program->cells;
    struct fuzz_step *step = next_step(script, FUZZ_LAUNCH, 0, 0);
    step->stream = (uint8_t)launch->stream;
    step->node = (int16_t)make_node(maker, scope, inputs, 0, kind);
    scope->stream[launch->stream] = before | add_range(scope, first, maker->program->cells);
    scope->launched |= scope->stream[launch->stream];
}

static void make_host_event(struct maker *maker, struct script *script, struct scope *scope)
{
    int record = draw(maker, 2) == 0;
    struct fuzz_step *step = next_step(script, record ? FUZZ_RECORD : FUZZ_WAIT, 0, 0);
    step->stream = (uint8_t)draw(maker, FUZZ_STREAMS);
    step->event = (uint8_t)draw(maker, FUZZ_EVENTS);
    if (record) {
        scope->event[step->event] = scope->stream[step->stream];
    } else {
        scope->stream[step->stream] |= scope->event[step->event];
    }
}

/* Waits for a stream or for everything, and checks the cells. */
static void make_host_wait(struct maker *maker, struct script *script, struct scope *scope)
{
    int all = draw(maker, 3) == 0;
    struct fuzz_step *step = next_step(script, all ? FUZZ_JOIN : FUZZ_SYNC, 0, 0);
    step->stream = (uint8_t)draw(maker, FUZZ_STREAMS);
    uint64_t over = all ? scope->launched : scope->stream[step->stream];
    scope->joined |= over;
    step = next_step(script, FUZZ_READ, 0, 0);
    choose_inputs(maker, scope, over, &step->inputs, &step->count);
}

static void make_host_step(struct maker *maker, struct script *script, struct scope *scope)
{
    struct launch launch = {.stream = FUZZ_STREAMS};
    int may_launch = maker->budget > 0 && has_room(maker, scope);
    uint32_t choice = draw(maker, 12);
    if (choice == 0) {
        make_host_event(maker, script, scope);
    } else if (choice == 1) {
        make_host_wait(maker, script, scope);
    } else if (choice < 5 && may_launch) {
        launch.inputs = make_handover(maker, script, scope, 0, &launch.stream);
        make_host_launch(maker, script, scope, &launch);
    } else if (choice < 11 && may_launch) {
        launch.stream = (int)draw(maker, FUZZ_STREAMS);
        make_host_launch(maker, script, scope, &launch);
    } else {
        next_step(script, FUZZ_QUERY, 0, 0)->stream = (uint8_t)draw(maker, FUZZ_STREAMS);
    }
}

void fuzz_make(struct fuzz_program *program, uint64_t seed)
{
    struct maker maker = {program, fuzz_mix(seed, 1), 0};
    struct scope scope;
    struct script script;
    memset(program, 0, sizeof *program);
    memset(&scope, 0, sizeof scope);
    script.count = 0;
    program->seed = seed;
    maker.budget = 4 + (int)draw(&maker, 36);
    for (int count = 2 + (int)draw(&maker, 13); count > 0; count--) {
        make_host_step(&maker, &script, &scope);
    }
    keep_script(program, &script, &program->host_steps, &program->host_step_count);
}

/* ---- The expected results ---- */

struct run {
    const struct fuzz_program *program;
    uint64_t *cells;
};

static void run_node(const struct run *run, const struct fuzz_node *node);

static uint64_t read_cells(const struct run *run, uint64_t value, int inputs, int count)
{
    for (int i = 0; i < count; i++) {
        value = fuzz_mix(value, run->cells[run->program->input[inputs + i]]);
    }
    return value;
}

static void run_exchange(uint64_t *value, uint32_t threads, uint32_t constant)
{
    uint64_t shared[FUZZ_THREADS];
    memcpy(shared, value, sizeof shared);
    for (uint32_t t = 0; t < threads; t++) {
        value[t] = fuzz_mix(value[t], shared[(t + constant) % threads]);
    }
}

static void run_vote(uint64_t *value, uint32_t threads)
{
    uint32_t yes = 0;
    for (uint32_t t = 0; t < threads; t++) {
        yes += value[t] & 1;
    }
    for (uint32_t t = 0; t < threads; t++) {
        value[t] = fuzz_mix(value[t], yes);
    }
}

static void run_warps(uint64_t *value, uint32_t threads, const struct fuzz_step *step)
{
    uint64_t old[FUZZ_THREADS];
    memcpy(old, value, sizeof old);
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t first = t / 32 * 32, lanes = fuzz_lanes(t, threads), ballot = 0;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            ballot |= (uint32_t)(old[first + lane] & 1) << lane;
        }
        uint64_t other = old[first + (t - first + step->constant) % lanes];
        value[t] = fuzz_mix(value[t], step->kind == FUZZ_BALLOT ? ballot : other);
    }
}

static void run_common(const struct run *run, const struct fuzz_step *step, uint64_t *value,
                       uint32_t threads)
{
    if (step->kind == FUZZ_EXCHANGE) {
        run_exchange(value, threads, step->constant);
    } else if (step->kind == FUZZ_VOTE) {
        run_vote(value, threads);
    } else if (step->kind == FUZZ_SHUFFLE || step->kind == FUZZ_BALLOT) {
        run_warps(value, threads, step);
    }
    for (uint32_t t = 0; t < threads; t++) {
        if (step->kind == FUZZ_MIX) {
            value[t] = fuzz_mix(value[t], step->constant);
        } else if (step->kind == FUZZ_ADD) {
            run->cells[FUZZ_CELLS - 1 - step->constant % FUZZ_SUMS] +=
                fuzz_mix(value[t], step->constant);
        }
    }
}

static void run_single(const struct run *run, const struct fuzz_step *step, uint64_t *value)
{
    if (step->kind == FUZZ_LAUNCH && step->stream != FUZZ_TAIL) {
        run_node(run, &run->program->node[step->node]);
    } else if (step->kind == FUZZ_WRITE) {
        run->cells[step->cell] += *value;
    } else if (step->kind == FUZZ_READ) {
        *value = read_cells(run, *value, step->inputs, step->count);
    }
}

static void run_block(const struct run *run, const struct fuzz_node *node, uint32_t block)
{
    uint64_t value[FUZZ_THREADS] = {0};
    for (uint32_t t = 0; t < node->threads; t++) {
        value[t] = fuzz_mix((uint64_t)node->out, (uint64_t)block << 32 | t);
        value[t] = read_cells(run, value[t], node->inputs, node->input_count);
    }
    for (int i = 0; i < node->step_count; i++) {
        const struct fuzz_step *step = &run->program->step[node->steps + i];
        if (step->kind < FUZZ_LAUNCH) {
            run_common(run, step, value, node->threads);
        } else if (step->block == block) {
            run_single(run, step, &value[step->thread]);
        }
    }
    for (uint32_t t = 0; t < node->threads; t++) {
        run->cells[(uint32_t)node->out + block * node->threads + t] += value[t];
    }
}

static void run_node(const struct run *run, const struct fuzz_node *node)
{
    const struct fuzz_program *program = run->program;
    if (node->kind == FUZZ_COPY) {
        run->cells[node->out] = run->cells[program->input[node->inputs]];
        return;
    }
    if (node->kind == FUZZ_CALL) {
        run->cells[node->out] +=
            read_cells(run, (uint64_t)node->out, node->inputs, node->input_count);
        return;
    }
    for (uint32_t block = 0; block < node->blocks; block++) {
        run_block(run, node, block);
    }
    for (int i = 0; i < node->step_count; i++) {
        const struct fuzz_step *step = &program->step[node->steps + i];
        if (step->kind == FUZZ_LAUNCH && step->stream == FUZZ_TAIL) {
            run_node(run, &program->node[step->node]);
        }
    }
}

uint64_t fuzz_expect(const struct fuzz_program *program, uint64_t cells[FUZZ_CELLS])
{
    struct run run = {program, cells};
    uint64_t host = program->seed;
    memset(cells, 0, FUZZ_CELLS * sizeof cells[0]);
    for (int i = 0; i < program->host_step_count; i++) {
        const struct fuzz_step *step = &program->step[program->host_steps + i];
        run_single(&run, step, &host);
    }
    return host;
}
