/* Random kernels: the parts of the generator that its files share.
 *
 * All text goes to standard output. All choices come from one state, which each kernel sets from
 * its number. So a kernel is the same in every program that contains it. */
#ifndef CDP_FUZZ_KERNELS_H
#define CDP_FUZZ_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

enum { TABLE = 256, BIG = 4096 };

/* random.c */
void start_choices(uint64_t number);
unsigned below(unsigned limit);
bool chance(unsigned percent);
/* One of several texts. */
#define ONE_OF(...)                                                                                \
    one_of((const char *const[]){__VA_ARGS__},                                                     \
           sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *))
const char *one_of(const char *const *texts, unsigned count);

/* Lines, indented; nothing is written while muted. */
void line(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern int indent, muted;

/* Text in a ring of buffers: good for a statement. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* expression.c */
enum type { INT, UNSIGNED, LONG, ULONG, SHORT, BYTE, SBYTE, FLOAT, DOUBLE, TYPES };
extern const char *const type_names[TYPES];
extern const char type_letters[];
/* Which types have variables in this kernel, two each. */
extern bool has_type[TYPES];
/* Only threadIdx.x counts. */
extern bool is_line;
bool is_real(enum type type);
enum type any_type(void);
/* An expression with the same value in all threads. */
char *uniform(int depth);
char *expression(enum type type, int depth);
char *condition(int depth);
/* Unsigned, below TABLE. */
char *index_of(int depth);

/* forms.c: code that C++ leaves undefined, or loops that C++ assumes to end. */
enum form { CONSTANTS, SHIFTS, DIVISIONS, HALVES, POLLING, WIDE, FORMS };
extern bool has_form[FORMS];
/* False if there is no such form. */
bool leave_form_out(const char *name);
/* The declarations for the other forms; at the start of a program. */
void forms_prologue(void);
/* Statements: a constant out of range, a shift by too much, a division without a quotient. */
void undefined_in_cpp(void);
/* Some threads wait for another's store; declares "polled". */
void poll(void);
/* An integer from a number that may be out of range. */
char *converted_anyhow(enum type type, int depth);
char *half_as_real(enum type type, int depth);
/* From numbers of 128 bits, overflows and calls with small structures. */
char *wide_as_whole(enum type type, int depth);

/* statement.c */
/* For names that are unique in the kernel. */
unsigned fresh_number(void);
/* The forms that the current kernel may contain. */
struct profile {
    bool is_flat;     /* no barriers */
    bool is_straight; /* only steps of trees and scans */
    bool prints, launches, counts, warps;
    unsigned most_depth;
};
/* Writes the kernel's body, without the statements whose numbers are set. */
void body(const struct profile *profile, unsigned count, const bool *without);
enum { MOST_STATEMENTS = 4096 };

#endif
