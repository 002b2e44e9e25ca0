/*
 * The simplest possible server, with one thread and one epoll instance. It sends the same 13 bytes for every request. Other servers are
 * compared with this program. It does not parse HTTP: it only finds the empty line at the end of each head.
 *
 * The program prints "READY port" when it listens on a free port of 127.0.0.1. It ends when its standard input is closed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 512
#define BUFFER 65536

static const char ANSWER[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!";
static const char END[] = "\r\n\r\n";

/* For each connection: the number of its last bytes that match the beginning of END. */
static unsigned char *matched;
static int most;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
}

static void take(int epoll, int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        int on = 1;
        if (fd >= most) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        matched[fd] = 0;
        watch(epoll, fd);
    }
}

/* Returns the number of heads that end in these bytes. */
static int heads(int fd, const char *bytes, ssize_t length) {
    int count = 0;
    for (ssize_t i = 0; i < length; i++) {
        if (bytes[i] == END[matched[fd]]) {
            matched[fd]++;
        } else {
            matched[fd] = bytes[i] == '\r';
        }
        if (matched[fd] == 4) {
            matched[fd] = 0;
            count++;
        }
    }
    return count;
}

static void answer(int fd) {
    static char bytes[BUFFER];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) close(fd);
        return;
    }
    for (int count = heads(fd, bytes, n); count > 0; count--) {
        /* The answer is so small that it fits into the socket buffer if the client reads. */
        if (write(fd, ANSWER, sizeof ANSWER - 1) != (ssize_t) sizeof ANSWER - 1) {
            close(fd);
            return;
        }
    }
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    struct epoll_event events[EVENTS];
    signal(SIGPIPE, SIG_IGN); /* if a client has closed its connection, only the write fails */
    int epoll = epoll_create1(0);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (epoll < 0 || listener < 0) fail("socket");
    most = (int) sysconf(_SC_OPEN_MAX);
    matched = calloc((size_t) most, 1);
    if (matched == NULL) fail("calloc");
    if (bind(listener, (struct sockaddr *) &address, sizeof address) < 0) fail("bind");
    if (listen(listener, 4096) < 0) fail("listen");
    if (getsockname(listener, (struct sockaddr *) &address, &length) < 0) fail("getsockname");
    watch(epoll, listener);
    watch(epoll, STDIN_FILENO);
    printf("READY %d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(epoll, events, EVENTS, -1);
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == STDIN_FILENO) return 0;
            if (fd == listener) {
                take(epoll, listener);
            } else {
                answer(fd);
            }
        }
    }
}
