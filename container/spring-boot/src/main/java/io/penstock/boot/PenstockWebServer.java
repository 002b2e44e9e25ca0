package io.penstock.boot;

import io.penstock.Penstock;
import io.penstock.StartException;
import java.net.InetSocketAddress;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.web.server.GracefulShutdownCallback;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;

/**
 * A server in the life cycle of Boot: the constructor initialises its web application, the server listens from {@link #start}
 * to {@link #stop}, and {@link #destroy} ends the web application.
 *
 * <p>Thread: any.
 */
public final class PenstockWebServer implements WebServer {
    private static final Log LOG = LogFactory.getLog(PenstockWebServer.class);
    private static final int NONE = -1;

    private final Penstock server;
    private final Listening listening;
    private final Shutdown shutdown;
    private final GracefulShutdown graceful;
    private final StartedMessage message;
    private final Runnable released;
    private final Object monitor = new Object();
    private volatile State state = State.INITIALISED; // written under the monitor

    /** Whether {@link #start} makes the server listen. */
    enum Listening {
        ON_START,
        NEVER
    }

    private enum State {
        INITIALISED,
        LISTENING,
        STOPPED,
        DESTROYED
    }

    /** @param released runs when the server has been destroyed */
    PenstockWebServer(
            Penstock prepared, Listening listening, Shutdown shutdown, StartedMessage message, Runnable released) {
        this.server = prepared;
        this.listening = listening;
        this.shutdown = shutdown;
        this.message = message;
        this.released = released;
        this.graceful = new GracefulShutdown(prepared);
    }

    /** The server, for its metrics and for other features that Boot's interface lacks. */
    public Penstock getPenstock() {
        return server;
    }

    @Override
    public void start() {
        synchronized (monitor) {
            if (state == State.LISTENING || listening == Listening.NEVER) {
                return;
            }
            try {
                server.resume();
            } catch (StartException e) {
                PortInUseException.throwIfPortBindingException(
                        e, () -> e.unavailablePort().orElse(NONE));
                throw new WebServerException("Unable to start Penstock: " + e.getMessage(), e);
            }
            state = State.LISTENING;
            LOG.info(startedMessage());
        }
    }

    /** The log message about the start. */
    String startedMessage() {
        return message.of(server.addresses(), server.secureAddresses());
    }

    @Override
    public void stop() {
        synchronized (monitor) {
            graceful.abort();
            if (state == State.LISTENING) {
                server.suspend();
                state = State.STOPPED;
            }
        }
    }

    @Override
    public void destroy() {
        synchronized (monitor) {
            if (state == State.DESTROYED) {
                return;
            }
            stop();
            server.close();
            state = State.DESTROYED;
            released.run();
        }
    }

    @Override
    public int getPort() {
        if (state != State.LISTENING) {
            return NONE;
        }
        return server.addresses().stream()
                .filter(InetSocketAddress.class::isInstance)
                .map(address -> ((InetSocketAddress) address).getPort())
                .findFirst()
                .orElse(NONE);
    }

    @Override
    public void shutDownGracefully(GracefulShutdownCallback callback) {
        if (shutdown == Shutdown.IMMEDIATE) {
            callback.shutdownComplete(GracefulShutdownResult.IMMEDIATE);
        } else {
            graceful.begin(callback);
        }
    }
}
