package io.penstock.boot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.Penstock;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.GracefulShutdownCallback;
import org.springframework.boot.web.server.GracefulShutdownResult;

/**
 * Waits for the end of a server's requests in a separate thread. Boot limits the wait ({@code
 * spring.lifecycle.timeout-per-shutdown-phase}). At the limit, Boot stops the server, and so ends the wait.
 *
 * <p>Thread: any.
 */
final class GracefulShutdown {
    private static final Log LOG = LogFactory.getLog(GracefulShutdown.class);

    /** The wait has no limit of its own, because Boot ends the wait. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final Penstock server;

    @GuardedBy("this")
    private @Nullable Thread waiting;

    GracefulShutdown(Penstock server) {
        this.server = server;
    }

    synchronized void begin(GracefulShutdownCallback callback) {
        LOG.info("Graceful shutdown: waiting for the requests that run");
        Thread thread = new Thread(() -> callback.shutdownComplete(await()), "penstock-shutdown");
        waiting = thread;
        thread.start();
    }

    private GracefulShutdownResult await() {
        try {
            if (server.drain(UNLIMITED)) {
                LOG.info("Graceful shutdown is complete");
                return GracefulShutdownResult.IDLE;
            }
        } catch (InterruptedException e) {
            LOG.debug("The server is stopped", e);
        }
        LOG.info("Graceful shutdown is aborted; requests still run");
        return GracefulShutdownResult.REQUESTS_ACTIVE;
    }

    /** Ends the wait. The caller must call this method before it suspends the server. The waiting thread calls the callback. */
    synchronized void abort() {
        Thread thread = waiting;
        waiting = null;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
