package io.penstock.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.context.InFlight;
import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.Upgrade;
import io.penstock.http.ParsedBytes;
import io.penstock.part.ReleasedUpgradeHandler;
import io.penstock.request.Callbacks;
import io.penstock.request.RequestedUpgrade;
import io.penstock.request.UpgradedStreams;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that was upgraded for an application's {@link HttpUpgradeHandler}, from {@code init} to {@code destroy} (Servlet 2.3.3.5).
 *
 * <p>Thread: jobs of the exchange, one at a time, on workers. Any thread may call the methods of {@link Callbacks}.
 *
 * <p>Owns: the handler, which is released once, the visit ({@link InFlight.Visit}), which keeps the application from stopping, and the
 * memory of the request's parsed values.
 *
 * <pre>
 *   NEW --begin--> OPEN --connection ends--> ENDED (destroy)
 *     +---- connection ends --------------------^  (no destroy, since there was no init)
 * </pre>
 */
final class UpgradedExchange implements Upgrade, Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(UpgradedExchange.class);

    private enum State {
        NEW,
        OPEN,
        ENDED
    }

    private final Exchange exchange;
    private final WebContext context;
    private final HttpUpgradeHandler handler;

    /** Prevents the stop of the application before the connection has ended; null if the application was already being undeployed. */
    private final InFlight.@Nullable Visit visit;

    private final @Nullable ParsedBytes parsed;

    @GuardedBy("this")
    private State state = State.NEW;

    @GuardedBy("this")
    private @Nullable RawConnection connection;

    @GuardedBy("this")
    private @Nullable UpgradedStreams streams;

    /** @param parsed the memory of the values of the request, which the handler may have kept; null for none */
    UpgradedExchange(Exchange exchange, RequestedUpgrade.Handler requested, @Nullable ParsedBytes parsed) {
        this.exchange = exchange;
        this.context = requested.context();
        this.handler = requested.handler();
        this.visit = context.inFlight().enter();
        this.parsed = parsed;
    }

    // ---- the connection's side

    @Override
    public void begin(RawConnection begun) {
        UpgradedStreams made = new UpgradedStreams(begun, this);
        synchronized (this) {
            connection = begun;
        }
        if (visit == null) {
            begun.close();
            return;
        }
        synchronized (this) {
            streams = made;
            state = State.OPEN;
        }
        visit.onUndeploy(begun::requestLeave);
        visit.onUndeployTimeout(() -> begun.output().abort(new IOException(context + " has ended")));
        context.inLoader(() -> {
            try {
                handler.init(made);
            } catch (Throwable t) {
                failed(t);
                made.close();
            }
        });
    }

    @Override
    public void leave() {
        UpgradedStreams open = openStreams();
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void ended() {
        State before;
        UpgradedStreams former;
        synchronized (this) {
            before = state;
            former = streams;
            state = State.ENDED;
        }
        if (before == State.OPEN) {
            context.inLoader(() -> {
                try {
                    handler.destroy();
                } catch (Throwable t) {
                    failed(t);
                }
            });
        }
        if (former != null) {
            former.end();
        }
        release();
    }

    /** Releases the handler and ends the visit to the application. If the upgrade fails, only this method is called. */
    void release() {
        if (handler instanceof ReleasedUpgradeHandler released) {
            released.released();
        }
        if (parsed != null) {
            parsed.end();
        }
        context.objects().release(handler);
        if (visit != null) {
            visit.end();
        }
    }

    // ---- the streams' side

    @Override
    public boolean isStarted() {
        return true;
    }

    @Override
    public void callback(Callback callback, ErrorCallback onError) {
        exchange.resume(() -> {
            UpgradedStreams open = openStreams();
            if (open != null) {
                context.inLoader(() -> call(callback, onError, open));
            }
        });
    }

    private void call(Callback callback, ErrorCallback onError, UpgradedStreams open) {
        try {
            callback.run();
        } catch (Throwable t) {
            failed(t);
            try {
                onError.failed(t);
            } catch (Throwable again) {
                failed(again);
            }
            open.close();
        }
    }

    @Override
    public void resume(Runnable job) {
        exchange.resume(job);
    }

    private synchronized @Nullable UpgradedStreams openStreams() {
        return state == State.OPEN ? streams : null;
    }

    /** Logs a failure. A failure caused by the connection's end is not logged as an error of the application. */
    private void failed(Throwable thrown) {
        exchange.threw(thrown);
        RawConnection of;
        synchronized (this) {
            of = Objects.requireNonNull(connection);
        }
        if (of.hasEnded() || Failure.of(thrown).blame() == Failure.Blame.CLIENT) {
            LOG.debug("Upgraded connection {} of {} has ended", exchange.id(), context.name(), thrown);
        } else {
            LOG.error(
                    "Upgraded connection {} failed in the application at {}: {}",
                    exchange.id(),
                    context.name(),
                    handler.getClass().getName(),
                    LoggedCause.of(thrown));
        }
    }
}
