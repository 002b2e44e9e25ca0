package io.penstock.exchange;

import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.time.Saturated;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a client's request in the {@link RequestQueue}. The wait ends when a worker takes the request, when the request has waited
 * too long, when its client has left, or when its stream ends. An overloaded queue can also drop the request. If a worker and another
 * thread want the request at the same time, the queue gives the request to only one of them. At most one request of a stream waits at a
 * time. In HTTP/1.1 the stream is the connection. A failure of a check ends only the stream ({@link RunningExchange.Stream#contain}).
 *
 * <p>Thread: the reactor. {@link #offerAsWorker}, {@link #giveWay} and {@link #over}: the worker that has just served the client's previous
 * request. {@link #outdated}: any. Owns: the deadline. The deadline expires every {@link #CHECK_NANOS} nanoseconds, and also when the
 * request has waited too long.
 */
public final class QueueWait {

    /** A request that waits for a worker. */
    public interface Request extends Job {

        /** Whether the request has been served. Any thread. */
        boolean isOver();

        /** Whether the stream has ended, so that written bytes will not arrive. Any thread. */
        boolean isClientGone();

        /** Called if no worker will get the request, since the stream has ended. Any thread. */
        void discard();

        /**
         * Sends a response to the request, because no worker will get the request. The key {@code bound} gives the reason: the request has
         * waited too long, or the queue is overloaded. Thread: the reactor.
         */
        void tooLate(Key bound) throws IOException;
    }

    /** The part of a {@link Conversation} whose requests wait one after the other. Thread: any. */
    public interface Owner {

        /** Asks the reactor to call {@link QueueWait#queued}, because a worker has queued a request. */
        void requestQueued();

        /** Asks the reactor to call {@link QueueWait#answerOutdated}, because the queue has dropped a request. */
        void requestOutdated();

        /**
         * Called if no request waits when the deadline expires. Returns whether the owner drops its {@link QueueWait}. If the result is
         * false, this method is called again after {@link #CHECK_NANOS}. Thread: the reactor.
         */
        boolean onNoneWaiting();

        /** Whether the client counts as gone, because it has closed its sending direction. Thread: the reactor. */
        boolean hasClientLeft();

        /** Called when no worker will get the waiting request, since the client has left. Discards the request. Thread: the reactor. */
        void onClientLeft() throws IOException;
    }

    /**
     * The interval between two checks of the wait. Most requests are served before the first check. At the check, an idle connection drops
     * its {@code QueueWait}, and the request of a client that has left is removed from the queue. So such a request may wait for a moment:
     * a client that closes only its sending direction is served, unless the server has more to do than its workers can.
     */
    static final long CHECK_NANOS = Saturated.nanos(Duration.ofMillis(250));

    private static final AtomicReferenceFieldUpdater<QueueWait, @Nullable Waiting> WAITING =
            AtomicReferenceFieldUpdater.newUpdater(QueueWait.class, Waiting.class, "waiting");

    private static final AtomicReferenceFieldUpdater<QueueWait, @Nullable Request> OUTDATED =
            AtomicReferenceFieldUpdater.newUpdater(QueueWait.class, Request.class, "outdated");

    private final ServerResources server;
    private final RunningExchange.Stream stream;
    private final Link link;
    private final Owner owner;

    private @Nullable Deadline deadline;

    // The last queued request, until it is over. A worker may have taken this request already. Only the queue knows
    // whether the request waits.
    private volatile @Nullable Waiting waiting;

    // The request that the queue has dropped and that has not been answered yet.
    private volatile @Nullable Request outdated;

    // The request that a check has not found in the queue; null if there is none. A worker has it. So later checks
    // do not search the queue, which needs its lock. Used by the reactor only.
    private @Nullable Waiting taken;

    /** @param since the time when the request began to wait */
    private record Waiting(Request request, long since) {}

    public QueueWait(RunningExchange.Stream stream, Owner owner) {
        this.server = stream.server();
        this.stream = stream;
        this.link = stream.link();
        this.owner = owner;
    }

    // ---- reactor

    /** Begins the wait of a request that the reactor has just queued. */
    public void begin(Request request) {
        waitsFromNow(request);
        queued();
        if (request.isOver()) {
            // A worker served the request before `waiting` was set.
            over(request);
        }
    }

    /** Sets the deadline after a request has begun to wait. A worker may have served this request meanwhile. */
    public void queued() {
        // If a check came between waitsFromNow() and the offer of a worker, the request was not in the queue yet.
        taken = null;
        setDeadline(waiting, link.reactor().nanos());
    }

    private void setDeadline(@Nullable Waiting one, long now) {
        Deadline set = deadline;
        if (set == null) {
            set = new Deadline(link) {
                @Override
                protected void passed() {
                    stream.contain(QueueWait.this::timedOut);
                }
            };
            deadline = set;
        }
        long soon = now + CHECK_NANOS;
        set.at(one == null || end(one) <= now ? soon : Math.min(soon, end(one)));
    }

    private long end(Waiting one) {
        return one.since() + Saturated.nanos(server.config().service().queueAge());
    }

    private void timedOut() throws IOException {
        Waiting old = waiting;
        if (old == null && owner.onNoneWaiting()) {
            return;
        }
        long now = link.reactor().nanos();
        // Set the deadline before tooLate(), because tooLate() can close the link.
        setDeadline(old, now);
        boolean late = old != null && end(old) <= now;
        if (old == null || old.equals(taken) || !(late || owner.hasClientLeft())) {
            return;
        }
        if (!withdraw(old)) {
            taken = old;
        } else if (late) {
            old.request().tooLate(Key.QUEUE_AGE);
        } else {
            owner.onClientLeft();
        }
    }

    /** Sends a response to the request that the queue has dropped. Does nothing if the queue has dropped no request. */
    public void answerOutdated() throws IOException {
        Request request = takeOutdated();
        if (request != null) {
            over(request);
            server.count(Counter.OUTDATED);
            request.tooLate(Key.OVERLOAD_AFTER);
        }
    }

    /** Drops the waiting request, if there is one, after the stream has ended and its pipe has failed. */
    public void onClosed() {
        if (deadline != null) {
            deadline.remove();
        }
        drop();
        dropOutdated();
    }

    // ---- worker

    /** Queues the client's next request. */
    public Offered offerAsWorker(Request request) {
        waitsFromNow(request);
        Offered offered = queue().offer(request);
        switch (offered) {
            case WAITS -> queuedByWorker(request);
            case FULL, OVERLOADED -> over(request);
            case TAKEN -> {
                // The worker that serves the request clears `waiting` by a call of over().
            }
        }
        return offered;
    }

    /**
     * Queues the client's next request behind the waiting requests of other clients, although the calling worker could serve it at once.
     */
    public void giveWay(Request request) {
        waitsFromNow(request);
        queue().giveWay(request);
        queuedByWorker(request);
    }

    private void queuedByWorker(Request request) {
        // The reactor must set the deadline of the wait.
        owner.requestQueued();
        if (request.isClientGone()) {
            // The stream may have ended before `waiting` was set.
            drop();
        }
    }

    /** Ends the wait of this request. */
    public void over(Request request) {
        Waiting one = waiting;
        if (one != null && one.request() == request) {
            WAITING.compareAndSet(this, one, null);
        }
    }

    // ---- both

    /**
     * Called when the overloaded queue has dropped this request, because it was one of the requests that have waited longest. Any thread.
     */
    public void outdated(Request request) {
        outdated = request;
        // The reactor must send the response to the client.
        owner.requestOutdated();
        if (request.isClientGone()) {
            // The stream may have ended before `outdated` was set.
            dropOutdated();
        }
    }

    private void dropOutdated() {
        Request request = takeOutdated();
        if (request != null) {
            request.discard();
        }
    }

    private @Nullable Request takeOutdated() {
        return outdated == null ? null : OUTDATED.getAndSet(this, null);
    }

    private void waitsFromNow(Request request) {
        waiting = new Waiting(request, link.reactor().nanos());
    }

    private void drop() {
        Waiting one = waiting;
        if (one != null && withdraw(one)) {
            one.request().discard();
        }
    }

    /** Removes the request from the queue. Returns false if a worker has taken the request. */
    private boolean withdraw(Waiting one) {
        boolean waited = queue().withdraw(one.request());
        if (waited) {
            over(one.request());
        }
        return waited;
    }

    private RequestQueue queue() {
        return server.queue();
    }
}
