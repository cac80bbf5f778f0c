/* Memory that is apart from addresses: a file without a name, mapped where the caller reserved
 * addresses. Another process opens it through /proc, which the system allows to processes of the
 * same user. */
#include "os/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/os.h"

/* Descriptors from here on are for what the process shows to others. */
enum { SHOWN_DESCRIPTORS = 512 };

int cdp_os_shared_create(size_t bytes)
{
    int fd = memfd_create("device-memory", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Programs may rely on the low numbers. */
static void move_up(int fd)
{
    if (fcntl(fd, F_DUPFD_CLOEXEC, SHOWN_DESCRIPTORS) >= 0) {
        close(fd);
    }
}

/* A page of a file with that name. A child of fork does not have the page, so it is not found. */
void *cdp_os_show(const char *name)
{
    size_t page = cdp_os_page();
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)page) != 0) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    void *shown = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shown == MAP_FAILED) {
        close(fd);
        return NULL;
    }
    (void)madvise(shown, page, MADV_DONTFORK);
    move_up(fd);
    return shown;
}

int cdp_os_shared_copy(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

size_t cdp_os_shared_size(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
}

bool cdp_os_is_descriptor(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

bool cdp_os_shared_grow(int fd, size_t bytes)
{
    return ftruncate(fd, (off_t)bytes) == 0;
}

void cdp_os_shared_close(int fd)
{
    close(fd);
}

uint64_t cdp_os_shared_number(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? info.st_ino : 0;
}

int cdp_os_shared_open(unsigned process, int fd, uint64_t number)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/fd/%d", process, fd);
    int opened = open(path, O_RDWR | O_CLOEXEC);
    if (opened >= 0 && (number == 0 || cdp_os_shared_number(opened) != number)) {
        close(opened);
        return -1;
    }
    return opened;
}

/* The file position, which nobody else uses. */
bool cdp_os_shared_set_mark(int fd, uint32_t mark)
{
    return lseek(fd, mark, SEEK_SET) == (off_t)mark;
}

uint32_t cdp_os_shared_mark(int fd)
{
    off_t position = lseek(fd, 0, SEEK_CUR);
    return position > 0 ? (uint32_t)position : 0;
}

bool cdp_os_process_lives(unsigned process)
{
    return kill((pid_t)process, 0) == 0 || errno == EPERM;
}

bool cdp_os_shared_map(void *address, size_t bytes, int fd)
{
    return mmap(address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, fd, 0) == address;
}

bool cdp_os_shared_unmap(void *address, size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE;
    bool good = mmap(address, bytes, PROT_NONE, flags, -1, 0) == address;
    if (good) {
        (void)madvise(address, bytes, MADV_DONTDUMP); /* as cdp_os_reserve */
    }
    return good;
}

bool cdp_os_shared_allow(void *address, size_t bytes, bool readable, bool writable)
{
    int protection = (readable ? PROT_READ : PROT_NONE) | (writable ? PROT_WRITE : PROT_NONE);
    return mprotect(address, bytes, protection) == 0;
}

void *cdp_os_shared_put(void *address, size_t bytes, int fd, size_t offset)
{
    if (cdp_alloc_fails()) {
        return NULL;
    }
    int flags = MAP_SHARED | (address != NULL ? MAP_FIXED : 0);
    void *p = mmap(address, bytes, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
    if (p == MAP_FAILED) {
        return NULL;
    }
    (void)madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

bool cdp_os_private_put(void *address, size_t bytes, void *from)
{
    if (from != NULL) {
        return mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, address) == address;
    }
    int flags = MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE;
    bool good = mmap(address, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == address;
    if (good) {
        (void)madvise(address, bytes, MADV_HUGEPAGE);
    }
    return good;
}

void cdp_os_shared_discard(int fd, size_t offset, size_t bytes)
{
    (void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

/* Locks of open file descriptions: each opened descriptor has its own, and they end with it. */
static bool lock(int fd, short type, size_t offset, size_t bytes)
{
    struct flock range = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)offset, .l_len = (off_t)bytes};
    return fcntl(fd, F_OFD_SETLK, &range) == 0;
}

bool cdp_os_shared_hold(int fd, size_t offset, size_t bytes)
{
    return lock(fd, F_RDLCK, offset, bytes);
}

void cdp_os_shared_release(int fd, size_t offset, size_t bytes)
{
    (void)lock(fd, F_UNLCK, offset, bytes);
}

bool cdp_os_shared_is_held(int fd, size_t offset, size_t bytes)
{
    struct flock range = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)offset, .l_len = (off_t)bytes};
    return fcntl(fd, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

void cdp_os_shared_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t ns)
{
    struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u),
                             .tv_nsec = (long)(ns % 1000000000u)};
    (void)syscall(SYS_futex, word, FUTEX_WAIT, expected, &limit, NULL, 0);
}

void cdp_os_shared_wake(_Atomic uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
