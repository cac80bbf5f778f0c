/* Sockets. */
#include "os/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

union any_address {
    struct sockaddr plain;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t to_system(const struct cdp_os_address *address, union any_address *out)
{
    memset(out, 0, sizeof *out);
    if (address->family == 4) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons(address->port);
        memcpy(&out->v4.sin_addr, address->bytes, sizeof out->v4.sin_addr);
        return sizeof out->v4;
    }
    out->v6.sin6_family = AF_INET6;
    out->v6.sin6_port = htons(address->port);
    out->v6.sin6_scope_id = address->scope;
    memcpy(&out->v6.sin6_addr, address->bytes, sizeof out->v6.sin6_addr);
    return sizeof out->v6;
}

static bool from_system(const union any_address *from, struct cdp_os_address *out)
{
    *out = (struct cdp_os_address){.family = 0};
    if (from->plain.sa_family == AF_INET) {
        out->family = 4;
        out->port = ntohs(from->v4.sin_port);
        memcpy(out->bytes, &from->v4.sin_addr, sizeof from->v4.sin_addr);
    } else if (from->plain.sa_family == AF_INET6) {
        out->family = 6;
        out->port = ntohs(from->v6.sin6_port);
        out->scope = from->v6.sin6_scope_id;
        memcpy(out->bytes, &from->v6.sin6_addr, sizeof from->v6.sin6_addr);
    }
    return out->family != 0;
}

void cdp_os_address_text(const struct cdp_os_address *address, char out[CDP_OS_ADDRESS_TEXT])
{
    char host[INET6_ADDRSTRLEN] = "?";
    (void)!inet_ntop(address->family == 4 ? AF_INET : AF_INET6, address->bytes, host, sizeof host);
    snprintf(out, CDP_OS_ADDRESS_TEXT, address->family == 6 ? "[%s]:%u" : "%s:%u", host,
             address->port);
}

/* Whether one of the names, which are separated by commas, fits. */
static bool is_listed(const char *names, const char *name)
{
    while (*names != '\0') {
        size_t length = strcspn(names, ",");
        bool exact = *names == '=';
        const char *word = names + exact;
        size_t size = length - exact;
        if (size > 0 && strncmp(word, name, size) == 0 && (!exact || name[size] == '\0')) {
            return true;
        }
        names += length + (names[length] == ',');
    }
    return false;
}

/* The first one in the system's order; IPv4 before IPv6. */
bool cdp_os_interface(const char *names, struct cdp_os_address *out)
{
    bool but_these = *names == '^', found = false;
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0) {
        return false;
    }
    for (int family = 4; family <= 6 && !found; family += 2) {
        for (const struct ifaddrs *one = all; one != NULL && !found; one = one->ifa_next) {
            found = one->ifa_addr != NULL && (one->ifa_flags & IFF_UP) != 0 &&
                    is_listed(names + but_these, one->ifa_name) != but_these &&
                    from_system((const union any_address *)(const void *)one->ifa_addr, out) &&
                    out->family == family;
        }
    }
    freeifaddrs(all);
    out->port = 0;
    return found;
}

static int new_socket(const struct cdp_os_address *address)
{
    return socket(address->family == 4 ? AF_INET : AF_INET6,
                  SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* Messages are sent at once, also brief ones. */
static void set_prompt(int socket)
{
    int on = 1;
    (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int cdp_os_listen(struct cdp_os_address *address)
{
    union any_address system;
    socklen_t size = to_system(address, &system);
    int made = new_socket(address);
    if (made < 0) {
        return -1;
    }
    if (bind(made, &system.plain, size) != 0 || listen(made, SOMAXCONN) != 0 ||
        getsockname(made, &system.plain, &size) != 0 || !from_system(&system, address)) {
        close(made);
        return -1;
    }
    return made;
}

int cdp_os_accept(int socket)
{
    int made = accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (made >= 0) {
        set_prompt(made);
    }
    return made;
}

int cdp_os_connect(const struct cdp_os_address *address)
{
    union any_address system;
    socklen_t size = to_system(address, &system);
    int made = new_socket(address);
    if (made < 0) {
        return -1;
    }
    set_prompt(made);
    if (connect(made, &system.plain, size) != 0 && errno != EINPROGRESS) {
        close(made);
        return -1;
    }
    return made;
}

void cdp_os_close_socket(int socket)
{
    close(socket);
}

static ptrdiff_t result_of(ssize_t moved)
{
    if (moved > 0) {
        return moved;
    }
    bool is_later = moved < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOTCONN);
    return is_later ? 0 : -1;
}

ptrdiff_t cdp_os_send(int socket, const void *bytes, size_t size)
{
    return result_of(send(socket, bytes, size, MSG_NOSIGNAL));
}

ptrdiff_t cdp_os_receive(int socket, void *bytes, size_t size)
{
    return result_of(recv(socket, bytes, size, 0));
}

int cdp_os_bell(void)
{
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

void cdp_os_ring(int bell)
{
    uint64_t one = 1;
    (void)!write(bell, &one, sizeof one);
}

void cdp_os_silence(int bell)
{
    uint64_t count;
    (void)!read(bell, &count, sizeof count);
}

enum { MOST_WATCHES = 4096 };

void cdp_os_network_wait(struct cdp_os_watch *watches, size_t count)
{
    struct pollfd polled[MOST_WATCHES];
    count = count < MOST_WATCHES ? count : MOST_WATCHES;
    for (size_t i = 0; i < count; i++) {
        polled[i] = (struct pollfd){.fd = watches[i].socket,
                                    .events = watches[i].for_sending ? POLLOUT : POLLIN};
    }
    bool is_known = poll(polled, count, -1) > 0;
    for (size_t i = 0; i < count; i++) {
        watches[i].is_ready = is_known && polled[i].revents != 0;
    }
}
