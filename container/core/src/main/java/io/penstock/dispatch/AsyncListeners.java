package io.penstock.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link AsyncListener}s of an exchange, called in the order in which they were added. If a listener throws, the exception is logged,
 * and the next listener is called.
 *
 * <p>Thread: any thread may add listeners. The thread of a dispatch, or a job of the exchange, calls the listeners without the lock of this
 * object.
 */
final class AsyncListeners {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncListeners.class);

    private final AsyncContext context;

    @GuardedBy("this")
    private List<Entry> entries = new ArrayList<>(1);

    @GuardedBy("this")
    private int errors;

    private record Entry(
            AsyncListener listener,
            @Nullable ServletRequest request,
            @Nullable ServletResponse response) {}

    /** A method of {@link AsyncListener}. */
    private interface Event {
        void send(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    /** @param context the source of the events */
    AsyncListeners(AsyncContext context) {
        this.context = context;
    }

    synchronized void add(
            AsyncListener listener, @Nullable ServletRequest request, @Nullable ServletResponse response) {
        entries.add(new Entry(listener, request, response));
    }

    /** Called when a new asynchronous cycle begins. Removes the listeners of the former cycle, and calls their {@code onStartAsync}. */
    void restart() {
        List<Entry> former;
        synchronized (this) {
            former = entries;
            entries = new ArrayList<>(1);
        }
        callAll(former, null, AsyncListener::onStartAsync);
    }

    void complete() {
        callAll(snapshot(), null, AsyncListener::onComplete);
    }

    void timeout() {
        callAll(snapshot(), null, AsyncListener::onTimeout);
    }

    void error(Throwable cause) {
        callAll(snapshot(), cause, AsyncListener::onError);
    }

    /** The number of exceptions that listeners have thrown. */
    synchronized int errors() {
        return errors;
    }

    private synchronized List<Entry> snapshot() {
        return List.copyOf(entries);
    }

    private void callAll(List<Entry> receivers, @Nullable Throwable cause, Event event) {
        for (Entry entry : receivers) {
            try {
                event.send(entry.listener(), new AsyncEvent(context, entry.request(), entry.response(), cause));
            } catch (Throwable e) {
                synchronized (this) {
                    errors++;
                }
                LOG.warn(
                        "An AsyncListener failed: {}",
                        entry.listener().getClass().getName(),
                        LoggedCause.of(e));
            }
        }
    }
}
