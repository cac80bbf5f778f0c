/* The table of profiles, and the choice. */
#include "api/profile.h"

#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "api/check.h"
#include "api/runtime.h"
#include "exec/state/block.h"
#include "exec/state/clock.h"
#include "exec/state/grid.h"

enum { MEMORY_CLOCK_KHZ = 2619000, MEMORY_BUS_BITS = 64, L2_BYTES = 60 << 20 };

#define CDP_PROFILE(word, name, major, minor, sms, clock, memory, memory_clock, bus, l2)
#define CDP_PROFILE_LIMITS(major, minor, threads, blocks, shared, optin, reserved, ratio)          \
    static const struct cdp_capability capability_##major##_##minor = {                            \
        major, minor, threads, blocks, (shared) << 10, (optin) << 10, reserved, ratio};
#include "api/profiles.def"
#undef CDP_PROFILE_LIMITS
#undef CDP_PROFILE

/* The first one is the default: code for compute capability 9.0 runs, on this machine. */
static const struct cdp_profile profiles[] = {
    {.word = "cpu",
     .capability = &capability_9_0,
     .clock_khz = CDP_CLOCK_KHZ,
     .memory_clock_khz = MEMORY_CLOCK_KHZ,
     .bus_bits = MEMORY_BUS_BITS,
     .l2_bytes = L2_BYTES},
#define CDP_PROFILE_LIMITS(major, minor, threads, blocks, shared, optin, reserved, ratio)
#define CDP_PROFILE(word, name, major, minor, sms, clock, memory, memory_clock, bus, l2)           \
    {#word, name,       &capability_##major##_##minor, sms, (clock) * 1000, (memory_clock) * 1000, \
     bus,   (l2) << 10, (size_t)(memory) << 30},
#include "api/profiles.def"
#undef CDP_PROFILE_LIMITS
#undef CDP_PROFILE
};
enum { PROFILES = sizeof profiles / sizeof *profiles };

static void say_unknown(const char *text, const char *word, size_t length)
{
    fprintf(stderr, "cdp: CDP_DEVICE=%s: '%.*s' is not one of", text, (int)length, word);
    for (int i = 0; i < PROFILES; i++) {
        fprintf(stderr, "%s %s", i == 0 ? "" : ",", profiles[i].word);
    }
    fprintf(stderr, "; using cpu\n");
}

static const struct cdp_profile *find(const char *text, const char *word, size_t length)
{
    for (int i = 0; i < PROFILES; i++) {
        if (strlen(profiles[i].word) == length && strncmp(profiles[i].word, word, length) == 0) {
            return &profiles[i];
        }
    }
    say_unknown(text, word, length);
    return &profiles[0];
}

/* The last word is that of all further devices. */
void cdp_profiles_choose(struct cdp_options *options,
                         const struct cdp_profile *out[CDP_MOST_DEVICES])
{
    const char *text = options->device != NULL ? options->device : profiles[0].word;
    const struct cdp_profile *last = &profiles[0];
    unsigned count = 0;
    const char *word = text;
    while (*word != '\0' && count < CDP_MOST_DEVICES) {
        size_t length = strcspn(word, ",");
        out[count++] = last = find(text, word, length);
        word += length + (word[length] == ',');
    }
    if (options->devices == 0) {
        options->devices = count;
    }
    while (count < options->devices) {
        out[count++] = last;
    }
}

const struct cdp_profile *cdp_profile_here(void)
{
    const struct cdp_runtime *running = cdp_runtime_running();
    if (running == NULL) {
        return &profiles[0];
    }
    const struct cdp_abi_thread *self = cdp_abi_self;
    return running
        ->devices[self != NULL ? cdp_grid_device(cdp_block_of(self)->grid) : cdp_device_number]
        .profile;
}
