package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.pipe.ResponsePipe;
import org.jspecify.annotations.Nullable;

/**
 * The complete responses in the pipe of one connection: the last byte of each response is in the pipe, and the link has not accepted that
 * byte yet. The observer of each response is called once. It is called when the link has accepted the last byte, or when the connection has
 * ended.
 *
 * <p>Thread: {@link #add}: the thread that adds bytes to the pipe, in the order of the responses. {@link #onClosed}: the reactor. {@link
 * #completeSent}: each thread that has added a response or has sent bytes. A thread that adds a response reads the count of sent bytes
 * after the addition. A thread that sends bytes checks for responses after it has sent the bytes. So no response is missed.
 */
public final class PendingCompletions {
    private final ResponsePipe pipe;

    // The responses form a linked list in the order of addition. An empty list needs no object.
    @GuardedBy("this")
    private @Nullable Pending first;

    @GuardedBy("this")
    private @Nullable Pending last;

    @GuardedBy("this")
    private @Nullable String cause;

    // Whether the list has entries. Written under the monitor. Read without the monitor, so that an empty list needs no
    // lock.
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

    /** Adds the response that ends with the last byte in the pipe. After this call, the caller must call {@link #completeSent}. */
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

    /**
     * Calls the observers of responses that have been sent. After {@link #onClosed}, also calls the observers of responses that will never
     * be sent.
     */
    public void completeSent() {
        if (any) {
            // A thread that adds a response after this check calls completeSent() itself.
            completeUpTo(pipe.sent());
        }
    }

    /** The observer of the first response that is not sent completely; {@code NONE} if there is no such response. Any thread. */
    public synchronized RequestObserver first() {
        return first == null ? RequestObserver.NONE : first.observer;
    }

    /** Called when the connection has been closed. */
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
