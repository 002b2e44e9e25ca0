package io.penstock.loadtest.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls on one connection that are not complete, in order. Thread: the thread of the {@link ClientLoop}. Owns: the call objects, which
 * are reused.
 */
final class CallQueue {
    private final ArrayDeque<PendingCall> pending = new ArrayDeque<>(2);
    private final ArrayDeque<PendingCall> spare = new ArrayDeque<>(2);

    PendingCall add(Request request, long deadline, Exchange exchange) {
        PendingCall call = spare.poll();
        if (call == null) {
            call = new PendingCall(request, deadline, exchange);
        } else {
            call.reuse(request, deadline, exchange);
        }
        pending.add(call);
        return call;
    }

    /** The call to which the next response belongs; null if the queue is empty. */
    @Nullable
    PendingCall first() {
        return pending.peek();
    }

    /**
     * Removes the first call, which is complete. If the socket has taken the whole request, the object of the call is kept for a later
     * call.
     */
    void completeFirst() {
        PendingCall call = pending.remove();
        if (call.isSent()) {
            spare.add(call);
        }
    }

    int size() {
        return pending.size();
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    long earliestDeadline() {
        return pending.stream().mapToLong(PendingCall::deadline).min().orElse(HttpConnection.NO_DEADLINE);
    }

    /** Empties the queue, and returns its calls. */
    List<PendingCall> takeAll() {
        List<PendingCall> taken = new ArrayList<>(pending);
        pending.clear();
        return taken;
    }
}
