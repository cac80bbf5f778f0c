/* Finds the callers on a stack by the unwind tables (.eh_frame) of the loaded modules.
 *
 * libgcc's unwinder trusts the stack that it walks. This unwinder walks stacks of other threads,
 * which may change at any time. It reads nothing outside of the stack and the tables, and needs
 * only the callee-saved registers. */
#include "os/code.h"
#include "os/os.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#if defined(__x86_64__)

/* Numbers of DWARF. */
enum { STACK_POINTER = 7, RETURN_ADDRESS = 16 };
enum { MOST_SAVED_ROWS = 8 };
/* The encodings of pointers in the tables that linkers and compilers use here. */
enum { OMITTED = 0xff, SIGNED_4_PC = 0x1b, UNSIGNED_4 = 0x03, SIGNED_4_DATA = 0x3b };

/* How the caller's value of a register is found. */
enum rule { SAME, AT_OFFSET, UNDEFINED, UNKNOWN };

/* The rules of the tables for one address. The canonical frame address, which is the caller's stack
 * pointer, is a register plus an offset. */
struct row {
    uint64_t base;
    int64_t offset;
    bool is_known;
    struct {
        enum rule rule;
        int64_t offset;
    } registers[CDP_OS_REGISTERS];
};

/* One function's entry of the tables. */
struct entry {
    const unsigned char *instructions, *end;
    const unsigned char *common,
        *common_end;     /* the instructions that all entries of this kind share */
    uintptr_t low, high; /* the function's code */
    uint64_t code_unit;
    int64_t data_unit;
};

/* ---- Reading tables ---- */

static uint32_t get_u32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static int32_t get_i32(const unsigned char *at)
{
    return (int32_t)get_u32(at);
}

/* A number with 7 bits in each byte. *bits is the end position of its last byte; a signed number is
 * sign-extended from there. */
static uint64_t take_leb(const unsigned char **at, unsigned *bits, bool *negative)
{
    uint64_t value = 0;
    unsigned char byte;
    *bits = 0;
    do {
        byte = *(*at)++;
        value |= *bits < 64 ? (uint64_t)(byte & 0x7f) << *bits : 0;
        *bits += 7;
    } while ((byte & 0x80) != 0);
    *negative = (byte & 0x40) != 0;
    return value;
}

static uint64_t take_uleb(const unsigned char **at)
{
    unsigned bits;
    bool negative;
    return take_leb(at, &bits, &negative);
}

static int64_t take_sleb(const unsigned char **at)
{
    unsigned bits;
    bool negative;
    uint64_t value = take_leb(at, &bits, &negative);
    return (int64_t)(negative && bits < 64 ? value | ~UINT64_C(0) << bits : value);
}

/* Reads the common part of entries; false if its kind is not understood. */
static bool read_common(const unsigned char *at, struct entry *entry)
{
    const unsigned char *end = at + 4 + get_u32(at);
    at += 8;
    unsigned char version = *at++;
    const char *augmentation = (const char *)at;
    at += strlen(augmentation) + 1;
    entry->code_unit = take_uleb(&at);
    entry->data_unit = take_sleb(&at);
    uint64_t return_address = version == 1 ? *at++ : take_uleb(&at);
    if (augmentation[0] != 'z' || return_address != RETURN_ADDRESS) {
        return false;
    }
    uint64_t length = take_uleb(&at);
    const unsigned char *data = at;
    entry->common = at + length;
    entry->common_end = end;
    for (const char *a = augmentation + 1; *a != '\0'; a++) {
        if (*a == 'R') {
            return *data == SIGNED_4_PC;
        }
        if (*a == 'P' && (*data & 0x0f) == (SIGNED_4_PC & 0x0f)) {
            data += 1 + 4; /* a function of C++'s */
        } else if (*a == 'L') {
            data++;
        } else {
            return false; /* signal handlers' frames too */
        }
    }
    return false;
}

static bool read_entry(const unsigned char *at, struct entry *entry)
{
    uint32_t length = get_u32(at);
    const unsigned char *common = at + 4 - get_u32(at + 4);
    if (length == 0 || length == UINT32_MAX || !read_common(common, entry)) {
        return false;
    }
    entry->end = at + 4 + length;
    entry->low = (uintptr_t)(at + 8) + (uintptr_t)(intptr_t)get_i32(at + 8);
    entry->high = entry->low + get_u32(at + 12);
    at += 16;
    uint64_t skipped = take_uleb(&at);
    entry->instructions = at + skipped;
    return true;
}

/* The linker's table of functions, in ascending order; both words are relative to the header. */
struct index {
    const unsigned char *header;
    const unsigned char *rows;
    size_t count;
};

static bool read_index(const unsigned char *header, struct index *index)
{
    *index = (struct index){.header = header, .rows = header + 12};
    if (header[0] != 1 || header[1] != SIGNED_4_PC || header[2] != UNSIGNED_4 ||
        header[3] != SIGNED_4_DATA) {
        return false;
    }
    index->count = get_u32(header + 8);
    return index->count != 0;
}

static bool find_in_index(const struct index *index, uintptr_t pc, struct entry *entry)
{
    size_t low = 0, high = index->count;
    intptr_t wanted = (intptr_t)(pc - (uintptr_t)index->header);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (get_i32(index->rows + 8 * middle) <= wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low != 0 &&
           read_entry(index->header + get_i32(index->rows + 8 * (low - 1) + 4), entry) &&
           pc - entry->low < entry->high - entry->low;
}

struct search {
    uintptr_t pc;
    struct entry entry;
    bool found;
};

static int look_in_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    struct search *search = arg;
    const unsigned char *header = NULL;
    bool inside = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        inside |= part->p_type == PT_LOAD && search->pc - start < part->p_memsz;
        header = part->p_type == PT_GNU_EH_FRAME ? (const unsigned char *)start : header;
    }
    struct index index;
    if (inside && header != NULL && read_index(header, &index)) {
        search->found = find_in_index(&index, search->pc, &search->entry);
    }
    return inside;
}

static bool find_entry(uintptr_t pc, struct entry *entry)
{
    struct search search = {.pc = pc};
    dl_iterate_phdr(look_in_module, &search);
    *entry = search.entry;
    return search.found;
}

bool cdp_os_function_at(uintptr_t pc, struct cdp_os_range *out)
{
    struct entry entry;
    bool found = find_entry(pc, &entry);
    *out = found ? (struct cdp_os_range){entry.low, entry.high} : (struct cdp_os_range){0, 0};
    return found;
}

/* ---- Execution of an entry's instructions ---- */

struct machine {
    const struct entry *entry;
    struct row row;
    struct row initial; /* the row after the common part */
    struct row saved[MOST_SAVED_ROWS];
    unsigned saved_count;
    uintptr_t at; /* the code address for which row holds */
};

static void set_rule(struct machine *machine, uint64_t number, enum rule rule, int64_t offset)
{
    if (number < CDP_OS_REGISTERS) {
        machine->row.registers[number].rule = rule;
        machine->row.registers[number].offset = offset;
    }
}

static void restore(struct machine *machine, uint64_t number)
{
    if (number < CDP_OS_REGISTERS) {
        machine->row.registers[number] = machine->initial.registers[number];
    }
}

static void skip_block(const unsigned char **at)
{
    uint64_t length = take_uleb(at);
    *at += length;
}

/* Instructions that set a register's rule. */
static bool step_register(struct machine *machine, unsigned char code, const unsigned char **at)
{
    enum { EXTENDED = 0x05, RESTORE = 0x06, NONE = 0x07, KEPT = 0x08, IN_REGISTER = 0x09 };
    enum { EXPRESSION = 0x10, SIGNED = 0x11, VALUE = 0x14, VALUE_SIGNED = 0x15, COMPUTED = 0x16 };
    int64_t unit = machine->entry->data_unit;
    uint64_t number;
    switch (code) {
    case EXTENDED:
        number = take_uleb(at);
        set_rule(machine, number, AT_OFFSET, (int64_t)take_uleb(at) * unit);
        return true;
    case SIGNED:
        number = take_uleb(at);
        set_rule(machine, number, AT_OFFSET, take_sleb(at) * unit);
        return true;
    case RESTORE:
        restore(machine, take_uleb(at));
        return true;
    case NONE:
    case KEPT:
        set_rule(machine, take_uleb(at), code == NONE ? UNDEFINED : SAME, 0);
        return true;
    case IN_REGISTER:
    case VALUE:
    case VALUE_SIGNED:
        set_rule(machine, take_uleb(at), UNKNOWN, 0);
        (void)take_uleb(at);
        return true;
    case EXPRESSION:
    case COMPUTED:
        set_rule(machine, take_uleb(at), UNKNOWN, 0);
        skip_block(at);
        return true;
    default:
        return false;
    }
}

/* Instructions that set the frame address. */
static bool step_frame(struct machine *machine, unsigned char code, const unsigned char **at)
{
    enum { FRAME = 0x0c, BASE = 0x0d, OFFSET = 0x0e, EXPRESSION = 0x0f };
    enum { FRAME_SIGNED = 0x12, OFFSET_SIGNED = 0x13 };
    struct row *row = &machine->row;
    switch (code) {
    case FRAME:
    case FRAME_SIGNED:
        row->base = take_uleb(at);
        row->offset =
            code == FRAME ? (int64_t)take_uleb(at) : take_sleb(at) * machine->entry->data_unit;
        row->is_known = true;
        return true;
    case BASE:
        row->base = take_uleb(at);
        return true;
    case OFFSET:
        row->offset = (int64_t)take_uleb(at);
        return true;
    case OFFSET_SIGNED:
        row->offset = take_sleb(at) * machine->entry->data_unit;
        return true;
    case EXPRESSION:
        skip_block(at);
        row->is_known = false;
        return true;
    default:
        return false;
    }
}

/* Instructions that advance to the next row, save a row, or have no effect here. */
static bool step_other(struct machine *machine, unsigned char code, const unsigned char **at)
{
    enum { NOTHING = 0x00, ADVANCE_1 = 0x02, ADVANCE_2, ADVANCE_4, REMEMBER = 0x0a, RECALL = 0x0b };
    enum { ARGUMENTS = 0x2e };
    uint64_t advance = 0;
    switch (code) {
    case NOTHING:
        return true;
    case ADVANCE_1:
    case ADVANCE_2:
    case ADVANCE_4:
        for (unsigned i = 0; i < 1u << (code - ADVANCE_1); i++) {
            advance |= (uint64_t)*(*at)++ << 8 * i;
        }
        machine->at += advance * machine->entry->code_unit;
        return true;
    case REMEMBER:
        if (machine->saved_count == MOST_SAVED_ROWS) {
            return false;
        }
        machine->saved[machine->saved_count++] = machine->row;
        return true;
    case RECALL:
        if (machine->saved_count == 0) {
            return false;
        }
        machine->row = machine->saved[--machine->saved_count];
        return true;
    case ARGUMENTS:
        (void)take_uleb(at);
        return true;
    default:
        return false;
    }
}

static bool step(struct machine *machine, const unsigned char **at)
{
    enum { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0, OPERAND = 0x3f };
    unsigned char code = *(*at)++;
    unsigned operand = code & OPERAND;
    switch (code & ~OPERAND) {
    case ADVANCE:
        machine->at += operand * machine->entry->code_unit;
        return true;
    case OFFSET:
        set_rule(machine, operand, AT_OFFSET, (int64_t)take_uleb(at) * machine->entry->data_unit);
        return true;
    case RESTORE:
        restore(machine, operand);
        return true;
    default:
        return step_register(machine, code, at) || step_frame(machine, code, at) ||
               step_other(machine, code, at);
    }
}

/* Computes the row for pc. */
static bool run(const struct entry *entry, uintptr_t pc, struct row *row)
{
    struct machine machine = {.entry = entry};
    const unsigned char *at = entry->common;
    while (at < entry->common_end) {
        if (!step(&machine, &at)) {
            return false;
        }
    }
    machine.initial = machine.row;
    machine.at = entry->low;
    at = entry->instructions;
    struct row last = machine.row;
    while (at < entry->end && machine.at <= pc) {
        last = machine.row;
        if (!step(&machine, &at)) {
            return false;
        }
    }
    *row = machine.at <= pc ? machine.row : last;
    return row->is_known && row->base < CDP_OS_REGISTERS;
}

/* ---- Frames ---- */

/* Not instrumented: the stack may be another thread's, and contain memory that sanitizers guard. */
CDP_NOT_INSTRUMENTED static bool read_stack(const struct cdp_os_frame *frame, uintptr_t address,
                                            uint64_t *value)
{
    if (address % sizeof *value != 0 || address < frame->low ||
        address > frame->high - sizeof *value) {
        return false;
    }
    *value = *(const volatile uint64_t *)address;
    return true;
}

bool cdp_os_frame_next(struct cdp_os_frame *frame)
{
    struct entry entry;
    struct row row;
    struct cdp_os_frame caller = *frame;
    /* If a call is the last instruction of its function, the return address is outside of the
     * function. */
    uintptr_t pc = frame->registers[RETURN_ADDRESS] - (frame->is_exact ? 0 : 1);
    if (!find_entry(pc, &entry) || !run(&entry, pc, &row)) {
        return false;
    }
    if (row.registers[RETURN_ADDRESS].rule == UNDEFINED) {
        frame->is_outermost = true;
        return false;
    }
    uintptr_t address = frame->registers[row.base] + (uintptr_t)row.offset;
    for (unsigned i = 0; i < CDP_OS_REGISTERS; i++) {
        enum rule rule = row.registers[i].rule;
        uintptr_t place = address + (uintptr_t)row.registers[i].offset;
        if (rule == AT_OFFSET && !read_stack(frame, place, &caller.registers[i])) {
            return false;
        }
    }
    if (address <= frame->registers[STACK_POINTER]) {
        return false; /* no stack grows in this direction: the loop would never end */
    }
    caller.registers[STACK_POINTER] = address;
    caller.is_exact = false;
    *frame = caller;
    return true;
}

/* The bytes of arguments that the caller had pushed: those that the next instruction removes after
 * the call. */
static uintptr_t pushed(uintptr_t return_address)
{
    static const unsigned char add_short[] = {0x48, 0x83, 0xc4}, add_long[] = {0x48, 0x81, 0xc4};
    const unsigned char *code = (const unsigned char *)return_address;
    if (memcmp(code, add_short, sizeof add_short) == 0) {
        return code[sizeof add_short];
    }
    return memcmp(code, add_long, sizeof add_long) == 0 ? get_u32(code + sizeof add_long) : 0;
}

/* A function's stack pointer when it prepares no call. The tables give it by the frame's address,
 * unless that is known by the frame pointer. In this case the function has aligned its stack to at
 * least 32 bytes, because otherwise it would not address its variables by the stack pointer. */
static bool find_stack_pointer(const struct cdp_os_frame *frame, uintptr_t at, uintptr_t *value)
{
    enum { LEAST = 32 };
    struct entry entry;
    struct row here, there;
    uintptr_t pc = cdp_os_frame_pc(frame);
    if (!find_entry(pc, &entry) || !run(&entry, pc, &here) || !run(&entry, at, &there)) {
        return false;
    }
    if (there.base == STACK_POINTER) {
        *value = frame->registers[here.base] + (uintptr_t)(here.offset - there.offset);
        return true;
    }
    *value = frame->registers[STACK_POINTER];
    *value += frame->is_exact ? 0 : pushed(frame->registers[RETURN_ADDRESS]);
    return *value % LEAST == 0;
}

uintptr_t cdp_os_frame_pc(const struct cdp_os_frame *frame)
{
    return frame->registers[RETURN_ADDRESS] - (frame->is_exact ? 0 : 1);
}

bool cdp_os_frame_register(const struct cdp_os_frame *frame, const char *name, uintptr_t at,
                           uintptr_t *value)
{
    enum { BASE = 3, FRAME = 6 };
    if (strncmp(name, "rsp", 3) == 0) {
        return find_stack_pointer(frame, at, value);
    }
    bool is_base = strncmp(name, "rbx", 3) == 0, is_frame = strncmp(name, "rbp", 3) == 0;
    *value = frame->registers[is_base ? BASE : FRAME];
    return is_base || is_frame;
}

#else

bool cdp_os_function_at(uintptr_t pc, struct cdp_os_range *out)
{
    (void)pc;
    *out = (struct cdp_os_range){0, 0};
    return false;
}

bool cdp_os_frame_next(struct cdp_os_frame *frame)
{
    (void)frame;
    return false;
}

uintptr_t cdp_os_frame_pc(const struct cdp_os_frame *frame)
{
    (void)frame;
    return 0;
}

bool cdp_os_frame_register(const struct cdp_os_frame *frame, const char *name, uintptr_t at,
                           uintptr_t *value)
{
    (void)frame, (void)name, (void)at;
    *value = 0;
    return false;
}

#endif
