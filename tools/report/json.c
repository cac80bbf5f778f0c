/* Reads JSON by recursive descent. */
#include "report/json.h"

#include "report/memory.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 64 };

/* Life: of json_read. */
struct reader {
    struct json *json;
    char *at;
    unsigned depth;
};

static bool read_value(struct reader *reader, size_t *out);

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool takes(struct reader *reader, char c)
{
    skip_blanks(reader);
    if (*reader->at != c) {
        return false;
    }
    reader->at++;
    return true;
}

static size_t new_value(struct json *json)
{
    json->values = memory_room(json->values, json->count, &json->capacity, sizeof *json->values);
    json->values[json->count] = (struct json_value){.text = ""};
    return json->count++;
}

/* The number of 4 hexadecimal digits; -1 for others. */
static int hex_digits(const char *digits)
{
    char copy[5] = {0}, *end;
    strncpy(copy, digits, 4);
    long number = strtol(copy, &end, 16);
    return strlen(copy) == 4 && strspn(copy, "0123456789abcdefABCDEF") == 4 ? (int)number : -1;
}

/* Writes a character below U+10000 as UTF-8. It needs fewer bytes than its escape. */
static char *put_character(char *to, int code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* Reads what follows a backslash. NULL: no escape. */
static char *read_escape(struct reader *reader, char *to)
{
    static const char *const escapes = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char c = *reader->at;
    if (c == 'u') {
        int code = hex_digits(reader->at + 1);
        reader->at += 5;
        return code > 0 ? put_character(to, code) : NULL;
    }
    for (const char *e = escapes; *e != '\0'; e += 2) {
        if (*e == c && c != '\0') {
            reader->at++;
            *to++ = e[1];
            return to;
        }
    }
    return NULL;
}

static bool read_string(struct reader *reader, const char **out)
{
    if (!takes(reader, '"')) {
        return false;
    }
    char *to = reader->at;
    *out = to;
    while (*reader->at != '"') {
        if ((unsigned char)*reader->at < ' ') {
            return false;
        }
        if (*reader->at != '\\') {
            *to++ = *reader->at++;
            continue;
        }
        reader->at++;
        to = read_escape(reader, to);
        if (to == NULL) {
            return false;
        }
    }
    reader->at++;
    *to = '\0';
    return true;
}

/* One element, or one member with its name. */
static bool read_child(struct reader *reader, bool is_member, size_t *out)
{
    const char *name = NULL;
    if (is_member && !(read_string(reader, &name) && takes(reader, ':'))) {
        return false;
    }
    if (!read_value(reader, out)) {
        return false;
    }
    reader->json->values[*out].name = name;
    return true;
}

/* What is between brackets. */
static bool read_children(struct reader *reader, size_t of, char end)
{
    size_t last = 0;
    if (takes(reader, end)) {
        return true;
    }
    do {
        size_t child;
        if (!read_child(reader, end == '}', &child)) {
            return false;
        }
        struct json_value *values = reader->json->values;
        *(last == 0 ? &values[of].first : &values[last].next) = child;
        last = child;
    } while (takes(reader, ','));
    return takes(reader, end);
}

static bool read_word(struct reader *reader, struct json_value *value)
{
    static const char *const words[] = {"null", "false", "true"};
    for (unsigned i = 0; i < 3; i++) {
        if (str_starts(reader->at, words[i])) {
            reader->at += strlen(words[i]);
            value->kind = i == 0 ? JSON_NULL : JSON_BOOL;
            value->number = i == 2;
            return true;
        }
    }
    char *end;
    value->number = strtod(reader->at, &end);
    value->kind = JSON_NUMBER;
    /* strtod also takes words and hexadecimal numbers. */
    bool is_number =
        end != reader->at && strspn(reader->at, "-+.eE0123456789") >= (size_t)(end - reader->at);
    reader->at = end;
    return is_number;
}

static bool read_value(struct reader *reader, size_t *out)
{
    size_t at = new_value(reader->json);
    *out = at;
    skip_blanks(reader);
    if (*reader->at == '"') {
        const char *text;
        bool is_read = read_string(reader, &text);
        reader->json->values[at].kind = JSON_STRING;
        reader->json->values[at].text = is_read ? text : "";
        return is_read;
    }
    if (*reader->at != '{' && *reader->at != '[') {
        return read_word(reader, &reader->json->values[at]);
    }
    bool is_object = *reader->at++ == '{';
    reader->json->values[at].kind = is_object ? JSON_OBJECT : JSON_ARRAY;
    if (++reader->depth > MOST_NESTED) {
        return false;
    }
    bool is_read = read_children(reader, at, is_object ? '}' : ']');
    reader->depth--;
    return is_read;
}

bool json_read(struct json *json, char *text)
{
    struct reader reader = {.json = json, .at = text};
    size_t root;
    json->count = 0;
    if (!read_value(&reader, &root)) {
        return false;
    }
    skip_blanks(&reader);
    return *reader.at == '\0';
}

void json_free(struct json *json)
{
    free(json->values);
    *json = (struct json){0};
}

const struct json_value *json_first(const struct json *json, const struct json_value *of)
{
    return of == NULL || of->first == 0 ? NULL : &json->values[of->first];
}

const struct json_value *json_next(const struct json *json, const struct json_value *after)
{
    return after->next == 0 ? NULL : &json->values[after->next];
}

const struct json_value *json_member(const struct json *json, const struct json_value *object,
                                     const char *name)
{
    const struct json_value *child = json_first(json, object);
    while (child != NULL && (child->name == NULL || !str_equals(child->name, name))) {
        child = json_next(json, child);
    }
    return child;
}

const char *json_text(const struct json *json, const struct json_value *object, const char *name)
{
    const struct json_value *member = json_member(json, object, name);
    return member == NULL ? "" : member->text;
}

double json_number(const struct json *json, const struct json_value *object, const char *name)
{
    const struct json_value *member = json_member(json, object, name);
    return member == NULL ? 0 : member->number;
}
