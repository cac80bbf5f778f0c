/* nvidia-smi: NVML's answers as text, in the forms that scripts read. */
#ifndef CDP_SMI_SMI_H
#define CDP_SMI_SMI_H

#include <stdbool.h>
#include <stddef.h>

#include "nvml.h"

/* The exit statuses of nvidia-smi. */
enum { SMI_OK = 0, SMI_WRONG_USE = 2, SMI_NO_DEVICE = 6, SMI_WRONG_OPTION = 255 };

enum { SMI_TEXT = 160, SMI_DEVICES = 64, SMI_COLUMNS = 128 };

/* What the command line asks for. All strings are borrowed. */
struct smi_request {
    enum { SMI_SUMMARY, SMI_LIST, SMI_DETAILS, SMI_FIELDS, SMI_PROCESSES } form;
    const char *fields;  /* a list with commas */
    const char *display; /* parts of SMI_DETAILS; NULL: all */
    const char *id;      /* of the devices that are meant, with commas; NULL: all */
    bool no_header, no_units;
    bool is_xml;      /* of SMI_DETAILS */
    unsigned loop_ms; /* 0: once */
};

/* The next word of a list with commas; spaces around it do not count. NULL at the end. */
const char *smi_next_word(const char **at, size_t *length);
/* The devices that are meant; their number. 0: there is no such device. */
unsigned smi_devices(const struct smi_request *request, nvmlDevice_t *out, unsigned most);

/* Each prints, and returns the exit status. */
int smi_print_summary(const struct smi_request *request);
int smi_print_list(const struct smi_request *request);
int smi_print_details(const struct smi_request *request);
int smi_print_xml(const struct smi_request *request);
int smi_print_topology(void);
int smi_print_fields(const struct smi_request *request);
int smi_print_processes(const struct smi_request *request);
void smi_print_field_help(void);

/* The time, and the version of CUDA, as the table has them. */
void smi_now(char out[SMI_TEXT]);
void smi_cuda_version(char out[SMI_TEXT]);
/* The value of a field of --query-gpu, with its unit if it has one; "N/A" if there is no value. */
void smi_field(nvmlDevice_t device, const char *name, char out[SMI_TEXT]);

#endif
