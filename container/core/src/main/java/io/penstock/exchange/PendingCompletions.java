package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.pipe.ResponsePipe;
import org.jspecify.annotations.Nullable;

/**
 * The responses whose last byte is in one pipe, but has not been accepted by the link yet. The observer of each response is called once:
 * when the link has accepted the last byte, or when the connection has ended.
 *
 * <p>Thread: {@link #add}: the pipe's producer, in the order of the responses. {@link #onClosed}: the reactor. {@link #completeSent}: each
 * thread that has added a response or sent bytes. A producer reads the count of sent bytes after it has added a response; a sending thread
 * checks for responses after it has sent bytes. So no response is missed.
 */
public final class PendingCompletions {
    private final ResponsePipe pipe;

    // A linked list in the order of addition: for an idle connection it needs no object.
    @GuardedBy("this")
    private @Nullable Pending first;

    @GuardedBy("this")
    private @Nullable Pending last;

    @GuardedBy("this")
    private @Nullable String cause;

    // Written under the monitor; read without it, to skip the monitor when the list is empty.
    private volatile boolean any;

    private static final class Pending {
        final RequestObserver observer;

        /** The position of the response's end among all bytes of the pipe. */
        final long end;

        @Nullable
        Pending next;

        Pending(RequestObserver observer, long end) {
            this.observer = observer;
            this.end = end;
        }
    }

    public PendingCompletions(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** Adds the response that ends with the last byte of the pipe. {@link #completeSent} must follow. */
    public void add(RequestObserver observer) {
        if (observer != RequestObserver.NONE) {
            observer.responseComplete();
            append(observer);
        }
    }

    private synchronized void append(RequestObserver observer) {
        Pending added = new Pending(observer, pipe.handedOver());
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        last = added;
        any = true;
    }

    /** Calls the observers of responses that have been sent or can no longer be sent. */
    public void completeSent() {
        if (any) {
            completeUpTo(pipe.sent()); // a producer that adds a response from here on calls this method itself
        }
    }

    /** The observer of the response that is being sent or is next; {@code NONE} if no complete response waits. Any thread. */
    public synchronized RequestObserver first() {
        return first == null ? RequestObserver.NONE : first.observer;
    }

    /** The connection has closed. */
    public void onClosed(String why) {
        synchronized (this) {
            cause = why;
        }
        completeSent();
    }

    private void completeUpTo(long sent) {
        for (Pending next = next(sent); next != null; next = any ? next(sent) : null) {
            if (next.end <= sent) {
                next.observer.sent(next.end);
            } else {
                next.observer.lost(cause());
            }
        }
    }

    private synchronized @Nullable Pending next(long sent) {
        Pending taken = first;
        if (taken == null || (taken.end > sent && cause == null)) {
            return null;
        }
        first = taken.next;
        if (first == null) {
            last = null;
            any = false;
        }
        return taken;
    }

    private synchronized String cause() {
        return cause == null ? "" : cause;
    }
}
