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
 * A server with the life cycle of Boot's web servers. The constructor gets a server whose web application is initialised. The server
 * listens from {@link #start} to {@link #stop}. The method {@link #destroy} ends the web application.
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
    private volatile State state = State.INITIALISED; // only written with the monitor

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

    /** @param released the code that runs at the end of {@link #destroy} */
    PenstockWebServer(
            Penstock prepared, Listening listening, Shutdown shutdown, StartedMessage message, Runnable released) {
        this.server = prepared;
        this.listening = listening;
        this.shutdown = shutdown;
        this.message = message;
        this.released = released;
        this.graceful = new GracefulShutdown(prepared);
    }

    /** The embedded server. Programs need it for metrics, and for other features that Boot's interface does not have. */
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

    /** The log message about the start of the server. */
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
