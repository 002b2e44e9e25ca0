package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Key;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Logs the events of connections. The level is debug, because clients must not be able to fill the log. Only the first {@code
 * body-stall-timeout} is logged on info level. The reason for this timeout can be a client that waits for a response before it sends the
 * end of the body. The message explains how to serve such clients.
 *
 * <p>Thread: any.
 */
public final class ConnectionLog implements ConnectionEvents {
    private final Logger log;
    private final AtomicLong stalls = new AtomicLong();

    ConnectionLog() {
        this(ServerLog.logger());
    }

    public ConnectionLog(Logger log) {
        this.log = log;
    }

    @Override
    public void opened(String connection, SocketAddress remote) {
        log.debug("Connection {}: opened by {}", connection, remote);
    }

    @Override
    public void refused(String connection, int status, String reason) {
        log.debug("Connection {}: answered {}: {}", connection, status, reason);
    }

    @Override
    public void timedOut(String connection, String name) {
        if (name.equals(Key.BODY_STALL_TIMEOUT.id()) && stalls.incrementAndGet() == 1) {
            log.info(
                    "Connection {}: {} passed before the body was complete. If the client waits for a response before it"
                            + " sends the rest, give the servlet the init parameter penstock.streaming=true. Further events of"
                            + " this kind are logged on debug level",
                    connection,
                    name);
        } else {
            log.debug("Connection {}: {} passed", connection, name);
        }
    }

    @Override
    public void upgraded(String connection, String protocol) {
        log.debug("Connection {}: uses {} from now on", connection, protocol);
    }

    @Override
    public void closed(String connection, CloseCause cause, String detail) {
        log.debug("Connection {}: closed: {}{}{}", connection, cause.id(), detail.isEmpty() ? "" : ": ", detail);
    }
}
