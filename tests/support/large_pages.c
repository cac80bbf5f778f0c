/* Simulates pages of 64 KiB, as some ARM kernels have, on a machine with smaller ones. It is
 * preloaded, returns memory in such pages, and refuses addresses within a page. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { PAGE = 65536 };

static size_t rounded(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* The C library's function that this one replaces; through a union, because C has no such cast. */
#define REAL(type, name)                                                                           \
    union {                                                                                        \
        void *object;                                                                              \
        type;                                                                                      \
    } real = {dlsym(RTLD_NEXT, name)}

static int refuse(const void *address)
{
    if ((uintptr_t)address % PAGE == 0) {
        return 0;
    }
    errno = EINVAL;
    return -1;
}

long sysconf(int name)
{
    REAL(long (*call)(int), "sysconf");
    return name == _SC_PAGESIZE ? PAGE : real.call(name);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    REAL(void *(*call)(void *, size_t, int, int, int, off_t), "mmap");
    if (address != NULL || (flags & MAP_ANONYMOUS) == 0) {
        return real.call(address, bytes, protection, flags, file, offset);
    }
    /* The memory that is cut off at both ends stays mapped: nobody knows its address. */
    char *low = real.call(NULL, rounded(bytes) + PAGE, protection, flags, file, offset);
    return low == MAP_FAILED ? MAP_FAILED : low + (-(uintptr_t)low & (PAGE - 1));
}

int mprotect(void *address, size_t bytes, int protection)
{
    REAL(int (*call)(void *, size_t, int), "mprotect");
    return refuse(address) ? -1 : real.call(address, rounded(bytes), protection);
}

int madvise(void *address, size_t bytes, int advice)
{
    REAL(int (*call)(void *, size_t, int), "madvise");
    return refuse(address) ? -1 : real.call(address, rounded(bytes), advice);
}

int munmap(void *address, size_t bytes)
{
    REAL(int (*call)(void *, size_t), "munmap");
    return refuse(address) ? -1 : real.call(address, rounded(bytes));
}

int msync(void *address, size_t bytes, int flags)
{
    REAL(int (*call)(void *, size_t, int), "msync");
    return refuse(address) ? -1 : real.call(address, rounded(bytes), flags);
}
