/* The table of profiles, the choice, and what identifies a device. */
#include "model/profile.h"

#include <stdbool.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "os/os.h"

enum { MEMORY_CLOCK_KHZ = 2619000, MEMORY_BUS_BITS = 64, L2_BYTES = 60 << 20 };

#define CDP_PROFILE(word, name, major, minor, sms, clock, memory, memory_clock, bus, l2)
#define CDP_PROFILE_LIMITS(major, minor, threads, blocks, shared, optin, reserved, ratio)          \
    static const struct cdp_capability capability_##major##_##minor = {                            \
        major, minor, threads, blocks, (shared) << 10, (optin) << 10, reserved, ratio};
#define CDP_PROFILE_BOARD(word, brand, id, generation, lanes, watts, least, ecc, mig)              \
    static const struct cdp_board board_##word = {                                                 \
        CDP_BRAND_##brand, id, generation, lanes, watts, least, CDP_ECC_##ecc, mig};
#include "model/profiles.def"
#undef CDP_PROFILE_LIMITS
#undef CDP_PROFILE_BOARD
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
#define CDP_PROFILE_BOARD(word, brand, id, generation, lanes, watts, least, ecc, mig)
#define CDP_PROFILE(word, name, major, minor, sms, clock, memory, memory_clock, bus, l2)           \
    {#word,        name,           &capability_##major##_##minor,                                  \
     sms,          (clock) * 1000, (memory_clock) * 1000,                                          \
     bus,          (l2) << 10,     (size_t)(memory) << 30,                                         \
     &board_##word},
#include "model/profiles.def"
#undef CDP_PROFILE_LIMITS
#undef CDP_PROFILE_BOARD
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

const struct cdp_profile *cdp_profile_cpu(void)
{
    return &profiles[0];
}

/* ---- The identity of a device ---- */

size_t cdp_profile_memory(const struct cdp_options *options, const struct cdp_profile *profile)
{
    size_t share = cdp_os_memory() / options->devices;
    size_t most = profile->memory != 0 && profile->memory < share ? profile->memory : share;
    return options->memory_mb != 0 ? (size_t)options->memory_mb << 20 : most;
}

/* Of the first processor. Read once: programs ask for the properties of a device again and again.
 */
static char cpu_name[160] = "unknown processor";
static pthread_once_t cpu_name_once = PTHREAD_ONCE_INIT;

static void read_cpu_name(void)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) {
        return;
    }
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(cpu_name, sizeof cpu_name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    fclose(file);
}

void cdp_profile_name(const struct cdp_profile *profile, char *out, size_t size)
{
    if (profile->name != NULL) {
        snprintf(out, size, "%s (cdpcc)", profile->name);
        return;
    }
    pthread_once(&cpu_name_once, read_cpu_name);
    snprintf(out, size, "cdpcc CPU device (%s)", cpu_name);
}

void cdp_profile_uuid(unsigned device, unsigned char out[CDP_UUID_BYTES])
{
    memcpy(out, "cdpcc-cpu-device", CDP_UUID_BYTES);
    out[0] = (unsigned char)(out[0] + device);
}

void cdp_profile_uuid_text(unsigned device, char out[CDP_UUID_TEXT])
{
    unsigned char b[CDP_UUID_BYTES];
    int at = snprintf(out, CDP_UUID_TEXT, "GPU");
    cdp_profile_uuid(device, b);
    for (int i = 0; i < CDP_UUID_BYTES; i++) {
        bool begins_part = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        at += snprintf(out + at, (size_t)(CDP_UUID_TEXT - at), "%s%02x", begins_part ? "-" : "",
                       b[i]);
    }
}

void cdp_profile_pci_id(unsigned device, char out[CDP_PCI_ID_BYTES])
{
    snprintf(out, CDP_PCI_ID_BYTES, "0000:%02x:00.0", device & 0xff);
}
