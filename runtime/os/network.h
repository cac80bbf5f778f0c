/* Sockets for streams of bytes between processes (TCP). No call blocks, but for
 * cdp_os_network_wait.
 *
 * A socket is a file descriptor, which a child process does not inherit through exec. */
#ifndef CDP_OS_NETWORK_H
#define CDP_OS_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* A numerical address and a port, of IPv4 or IPv6. Zeroed memory is no address. All bytes count:
 * equal addresses have equal bytes. */
struct cdp_os_address {
    uint8_t bytes[16];
    uint16_t family; /* 4 or 6; 0: none */
    uint16_t port;
    uint32_t scope; /* of a link-local address */
};

enum { CDP_OS_ADDRESS_TEXT = 64 };
/* "127.0.0.1:4711" */
void cdp_os_address_text(const struct cdp_os_address *address, char out[CDP_OS_ADDRESS_TEXT]);
/* The address of an interface of this machine that is up. names: with commas, each the beginning of
 * a name, or "=NAME" for exactly this one; "^" before them: any but these. Port 0. */
bool cdp_os_interface(const char *names, struct cdp_os_address *out) CDP_MUST_CHECK;

/* A socket that accepts connections there; sets the port if it is 0. -1: none. */
int cdp_os_listen(struct cdp_os_address *address) CDP_MUST_CHECK;
/* A new connection of a listening socket; -1: none now. */
int cdp_os_accept(int socket) CDP_MUST_CHECK;
/* A socket whose connection is being made; -1: none. */
int cdp_os_connect(const struct cdp_os_address *address) CDP_MUST_CHECK;
void cdp_os_close_socket(int socket);

/* Bytes that were moved; 0: none now; -1: the connection has ended. A bad address counts as that.
 */
ptrdiff_t cdp_os_send(int socket, const void *bytes, size_t size);
ptrdiff_t cdp_os_receive(int socket, void *bytes, size_t size);

/* A descriptor that another thread can make readable. -1: none. */
int cdp_os_bell(void) CDP_MUST_CHECK;
void cdp_os_ring(int bell);
void cdp_os_silence(int bell);

struct cdp_os_watch {
    int socket;
    bool for_sending; /* else for receiving, or accepting */
    bool is_ready;    /* the result: the operation would do something, or fail */
};
/* Waits until one of them is ready. */
void cdp_os_network_wait(struct cdp_os_watch *watches, size_t count);

#endif
