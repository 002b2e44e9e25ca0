/*
 * Makes TLS connections to 127.0.0.1 as fast as it can, with one thread. Each connection has a handshake, one request and its answer.
 * The program is written in C because a client in Java would need as much processor time as the measured server.
 *
 *   program PORT CONNECTIONS MILLISECONDS 1.2|1.3 full|resumed PATH
 *
 * CONNECTIONS is the number of connections that are open at one time. Each of these slots keeps the TLS session of its last handshake.
 * With "resumed", the first handshake of each slot is full, and is not counted. Later, a handshake counts if it was of the requested kind,
 * and if the whole answer with status 200 has arrived. The program prints one line.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 1024
#define TROUBLE 200
/* This time is longer than any pause of a healthy server. After it, the server has lost a connection. */
#define SILENCE_MILLIS 10000

static const char OK[] = "HTTP/1.1 200";

enum state { CONNECTING, WRITING, READING };

struct slot {
    int fd;
    SSL *ssl;
    SSL_SESSION *session;
    enum state state;
    int primed;
    int got; /* number of stored bytes of the status line */
    char status[sizeof OK];
};

static struct slot slots[MOST];
static struct sockaddr_in address = {.sin_family = AF_INET};
static SSL_CTX *context;
static int epoll, resumed, started, waiting;
static char request[4096];
static int request_length;
static long handshakes, failed;
static char trouble[TROUBLE] = "", version[32] = "", suite[64] = "";

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void open_slot(struct slot *slot) {
    int on = 1;
    slot->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (slot->fd < 0) fail("socket");
    setsockopt(slot->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(slot->fd, (struct sockaddr *) &address, sizeof address) < 0 && errno != EINPROGRESS) fail("connect");
    slot->ssl = SSL_new(context);
    if (slot->ssl == NULL) fail("SSL_new");
    SSL_set_fd(slot->ssl, slot->fd);
    SSL_set_app_data(slot->ssl, slot);
    SSL_set_tlsext_host_name(slot->ssl, "localhost");
    SSL_set_connect_state(slot->ssl);
    if (resumed && slot->session != NULL) SSL_set_session(slot->ssl, slot->session);
    slot->state = CONNECTING;
    slot->got = 0;
    memset(slot->status, 0, sizeof slot->status);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = slot};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, slot->fd, &event) < 0) fail("epoll_ctl");
}

/* The slot takes over the reference to the session, so the caller must not free the session. */
static void keep(struct slot *slot, SSL_SESSION *session) {
    if (slot->session != NULL) SSL_SESSION_free(slot->session);
    slot->session = session;
}

/* OpenSSL calls this function when a ticket of TLS 1.3 has arrived after the handshake. */
static int on_session(SSL *ssl, SSL_SESSION *session) {
    keep(SSL_get_app_data(ssl), session);
    return 1;
}

/* wrong describes the failure. It is NULL after success. */
static void end_slot(struct slot *slot, const char *wrong) {
    int counts = started && slot->primed;
    if (wrong == NULL && strcmp(slot->status, OK) != 0) wrong = "not the answer 200";
    if (wrong == NULL && counts && SSL_session_reused(slot->ssl) != resumed) {
        wrong = resumed ? "the server did not resume the session" : "the server resumed a session";
    }
    if (wrong != NULL) {
        if (trouble[0] == 0) snprintf(trouble, TROUBLE, "%s", wrong);
        failed++;
    } else {
        snprintf(version, sizeof version, "%s", SSL_get_version(slot->ssl));
        snprintf(suite, sizeof suite, "%s", SSL_CIPHER_standard_name(SSL_get_current_cipher(slot->ssl)));
        if (counts) handshakes++;
        /* A resumed handshake of TLS 1.2 can contain a new ticket, for which OpenSSL has no callback. */
        if (SSL_version(slot->ssl) == TLS1_2_VERSION) keep(slot, SSL_get1_session(slot->ssl));
    }
    SSL_shutdown(slot->ssl);
    SSL_free(slot->ssl);
    close(slot->fd);
    ERR_clear_error();
    if (!slot->primed) {
        slot->primed = 1;
        waiting--;
    }
}

/* Returns whether the connection has ended. */
static int step(struct slot *slot) {
    static char bytes[65536];
    for (;;) {
        int done;
        switch (slot->state) {
        case CONNECTING:
            done = SSL_do_handshake(slot->ssl);
            if (done == 1) slot->state = WRITING;
            break;
        case WRITING:
            done = SSL_write(slot->ssl, request, request_length);
            if (done > 0) slot->state = READING;
            break;
        default:
            done = SSL_read(slot->ssl, bytes, sizeof bytes);
            for (int i = 0; i < done && slot->got < (int) sizeof OK - 1; i++) slot->status[slot->got++] = bytes[i];
        }
        if (done > 0) continue;
        int error = SSL_get_error(slot->ssl, done);
        if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return 0;
        if (error == SSL_ERROR_ZERO_RETURN && slot->state == READING) {
            end_slot(slot, NULL);
        } else {
            unsigned long code = ERR_get_error();
            end_slot(slot, code == 0 ? "the connection was cut" : ERR_reason_error_string(code));
        }
        return 1;
    }
}

int main(int count, char **arguments) {
    struct epoll_event events[MOST];
    if (count != 7) {
        fprintf(stderr, "usage: PORT CONNECTIONS MILLISECONDS 1.2|1.3 full|resumed PATH\n");
        return 2;
    }
    int connections = atoi(arguments[2]);
    double seconds = atof(arguments[3]) / 1000;
    int protocol = strcmp(arguments[4], "1.2") == 0 ? TLS1_2_VERSION : TLS1_3_VERSION;
    resumed = strcmp(arguments[5], "resumed") == 0;
    if (connections < 1 || connections > MOST) {
        fprintf(stderr, "from 1 to %d connections\n", MOST);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    address.sin_port = htons((unsigned short) atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    request_length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%s\r\nConnection: close\r\n\r\n",
                              arguments[6], arguments[1]);
    context = SSL_CTX_new(TLS_client_method());
    if (context == NULL) fail("SSL_CTX_new");
    SSL_CTX_set_min_proto_version(context, protocol);
    SSL_CTX_set_max_proto_version(context, protocol);
    /* Some servers close the connection without closing TLS before. */
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, on_session);
    epoll = epoll_create1(0);
    if (epoll < 0) fail("epoll_create1");
    waiting = resumed ? connections : 0;
    double begun = 0, over = 0;
    if (!resumed) {
        started = 1;
        begun = now();
        over = begun + seconds;
    }
    for (int i = 0; i < connections; i++) {
        slots[i].primed = !resumed;
        open_slot(&slots[i]);
    }
    for (;;) {
        int ready = epoll_wait(epoll, events, MOST, SILENCE_MILLIS);
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        if (ready == 0) {
            fprintf(stderr, "the server is silent\n");
            return 1;
        }
        for (int i = 0; i < ready; i++) {
            struct slot *slot = events[i].data.ptr;
            /* Before the start, a slot with a session waits for the other slots. */
            if (step(slot) && started) open_slot(slot);
        }
        if (!started && waiting == 0) {
            started = 1;
            begun = now();
            over = begun + seconds;
            for (int i = 0; i < connections; i++) open_slot(&slots[i]);
        }
        if (started && now() >= over) break;
    }
    printf("handshakes=%ld failed=%ld seconds=%.6f version=%s suite=%s trouble=%s\n", handshakes, failed, now() - begun,
           version, suite, trouble);
    return 0;
}
