package io.penstock.http1;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.pipe.ResponsePipe;
import org.jspecify.annotations.Nullable;

/**
 * The responses of one connection that have been handed over whole and whose last byte the link has not taken yet: each is told when
 * it has. Holds nothing where nobody listens.
 *
 * <p>Thread: {@link #add} who produces, in the order of the responses; {@link #left} whoever added or drained, afterwards; {@link
 * #close} the reactor. Whoever adds looks afterwards what has left, whoever drains looks afterwards what was added: so none is
 * forgotten.
 */
final class Departures {
    private final ResponsePipe pipe;

    // A chain, the first added first: nothing of it stays on a connection that is idle.
    @GuardedBy("this")
    private @Nullable Departing first;

    @GuardedBy("this")
    private @Nullable Departing last;

    @GuardedBy("this")
    private @Nullable String cause;

    // Written under the monitor; read without by those who only want to know whether to look.
    private volatile boolean any;

    private static final class Departing {
        final Trace trace;

        /** Where the response ends among the bytes of its connection. */
        final long end;

        @Nullable
        Departing next;

        Departing(Trace trace, long end) {
            this.trace = trace;
            this.end = end;
        }
    }

    Departures(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** What has been handed over until now is the end of a response; {@link #left} must follow. */
    synchronized void add(Trace trace) {
        Departing added = new Departing(trace, pipe.handedOver());
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        last = added;
        any = true;
    }

    /** Tells what has left, or will not leave any more. */
    void left() {
        if (any) {
            tell(pipe.sent()); // what is added from here on has its own look
        }
    }

    /** What tells of the response that the link takes next or is taking; of none, if nothing has been handed over whole. Any thread. */
    synchronized Trace first() {
        return first == null ? Trace.NONE : first.trace;
    }

    /** The connection has ended. */
    void close(String why) {
        synchronized (this) {
            cause = why;
        }
        left();
    }

    private void tell(long sent) {
        for (Departing next = next(sent); next != null; next = any ? next(sent) : null) {
            if (next.end <= sent) {
                next.trace.left(next.end);
            } else {
                next.trace.lost(cause());
            }
        }
    }

    private synchronized @Nullable Departing next(long sent) {
        Departing taken = first;
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
