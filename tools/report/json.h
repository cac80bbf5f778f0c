/* Reads JSON: what the runtime writes. Values are numbered; 0 is the outermost one.
 *
 * The text is changed: strings lose their escapes and end with a NUL where they are. */
#ifndef CDP_REPORT_JSON_H
#define CDP_REPORT_JSON_H
#include <stdbool.h>
#include <stddef.h>

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* One value. Strings lie in the text. */
struct json_value {
    const char *name; /* of a member of an object, else NULL */
    const char *text; /* of a string, else "" */
    double number;
    size_t first, next; /* the first element, the next sibling; 0: there is none */
    enum json_kind kind;
};

/* All values of a text. Zero is ready for json_read. values is owned; the next json_read uses it
 * again, json_free frees it. */
struct json {
    struct json_value *values;
    size_t count, capacity;
};

/* False: the text is no JSON. text ends with a NUL, and lives as long as the values are used. */
bool json_read(struct json *json, char *text);
void json_free(struct json *json);

/* A member of an object; NULL if there is none of this name. */
const struct json_value *json_member(const struct json *json, const struct json_value *object,
                                     const char *name);
/* The member's text or number; "" and 0 if there is none. */
const char *json_text(const struct json *json, const struct json_value *object, const char *name);
double json_number(const struct json *json, const struct json_value *object, const char *name);
/* The first element or member, and the one after it; NULL at the end. */
const struct json_value *json_first(const struct json *json, const struct json_value *of);
const struct json_value *json_next(const struct json *json, const struct json_value *after);

#endif
