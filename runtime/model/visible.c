/* A list of numbers, or of UUIDs, or of their beginnings. The first word that names no device ends
 * the list: CUDA shows the devices before it. */
#include "model/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/profile.h"

static const char *list_text(void)
{
    return secure_getenv("CUDA_VISIBLE_DEVICES");
}

static const char *order_text(void)
{
    return secure_getenv("CUDA_DEVICE_ORDER");
}

bool cdp_visible_is_set(void)
{
    return list_text() != NULL || order_text() != NULL;
}

/* All devices are equally fast, so the two orders are the same. */
static bool is_order(const char *text)
{
    return text == NULL || strcmp(text, "FASTEST_FIRST") == 0 || strcmp(text, "PCI_BUS_ID") == 0;
}

/* The device of a number as strtol reads it, whatever follows it; count: none. */
static unsigned by_number(const char *word, unsigned count)
{
    char *end;
    long number = strtol(word, &end, 10);
    return end == word || number < 0 || number >= (long)count ? count : (unsigned)number;
}

/* The only device whose UUID begins with the word; count: none. */
static unsigned by_uuid(const char *word, size_t length, unsigned count)
{
    unsigned found = count;
    for (unsigned i = 0; i < count; i++) {
        char text[CDP_UUID_TEXT];
        cdp_profile_uuid_text(i, text);
        if (length < CDP_UUID_TEXT && strncasecmp(text, word, length) == 0) {
            if (found != count) {
                return count;
            }
            found = i;
        }
    }
    return found;
}

static bool has(const unsigned *list, unsigned count, unsigned number)
{
    for (unsigned i = 0; i < count; i++) {
        if (list[i] == number) {
            return true;
        }
    }
    return false;
}

enum cdp_status cdp_visible_choose(unsigned out[CDP_MOST_DEVICES], uint32_t *count)
{
    const char *word = list_text();
    if (!is_order(order_text())) {
        fprintf(stderr, "cdp: CUDA_DEVICE_ORDER=%s: must be FASTEST_FIRST or PCI_BUS_ID\n",
                order_text());
        return CDP_INVALID_DEVICE;
    }
    for (unsigned i = 0; word == NULL && i < *count; i++) {
        out[i] = i;
    }
    if (word == NULL) {
        return CDP_OK;
    }
    unsigned machine = *count, chosen = 0;
    bool are_uuids = strncasecmp(word, "GPU-", 4) == 0;
    while (*word != '\0') {
        size_t length = strcspn(word, ",");
        unsigned number = are_uuids ? by_uuid(word, length, machine) : by_number(word, machine);
        if (number == machine) {
            break;
        }
        if (has(out, chosen, number)) {
            fprintf(stderr, "cdp: CUDA_VISIBLE_DEVICES=%s: names device %u twice\n", list_text(),
                    number);
            return CDP_INVALID_DEVICE;
        }
        out[chosen++] = number;
        word += length + (word[length] == ',');
    }
    *count = chosen;
    if (chosen == 0) { /* often set where there is no GPU */
        fprintf(stderr,
                "cdp: CUDA_VISIBLE_DEVICES=%s: names none of the %u devices, so there is none; "
                "unset it, or name device 0\n",
                list_text(), machine);
    }
    return chosen != 0 ? CDP_OK : CDP_NO_DEVICE;
}
