/* Memory that is apart from addresses: a file without a name, mapped where the caller reserved
 * addresses. */
#include "os/shared.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int cdp_os_shared_create(size_t bytes)
{
    int fd = memfd_create("device-memory", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) != 0) {
        close(fd);
        return -1;
    }
    return fd;
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

void cdp_os_shared_close(int fd)
{
    close(fd);
}

bool cdp_os_shared_map(void *address, size_t bytes, int fd)
{
    return mmap(address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, fd, 0) == address;
}

bool cdp_os_shared_unmap(void *address, size_t bytes)
{
    return mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0) == address;
}

bool cdp_os_shared_allow(void *address, size_t bytes, bool readable, bool writable)
{
    int protection = (readable ? PROT_READ : PROT_NONE) | (writable ? PROT_WRITE : PROT_NONE);
    return mprotect(address, bytes, protection) == 0;
}
