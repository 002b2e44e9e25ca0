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
 * The wait of a client's request in the request queue. The wait ends when a worker takes the request, when it has lasted too long, or when
 * the connection ends. An overloaded queue may also drop the request. If a worker and another thread compete for the request, the queue
 * decides which of them gets it. One request of a connection waits at a time.
 *
 * <p>Thread: the reactor. {@link #offerAsWorker}, {@link #giveWay} and {@link #over}: the worker that has just served the client's former
 * request. {@link #outdated}: any. Owns: the deadline. The deadline passes when the request has waited too long, and a few times a second
 * before that.
 */
public final class QueueWait {

    /** A request that waits for a worker. */
    public interface Request extends Job {

        /** Whether the request has been served. Any thread. */
        boolean isOver();

        /** Whether the connection has ended: written bytes will not arrive. Any thread. */
        boolean isClientGone();

        /** The connection has ended, so no worker will get the request. Any thread. */
        void discard();

        /**
         * No worker will get the request, because of {@code bound}: it has waited too long, or the queue is overloaded. Answers the
         * request. Thread: the reactor.
         */
        void tooLate(Key bound) throws IOException;
    }

    /** The conversation whose requests wait. Thread: any. */
    public interface Owner {

        /** Asks the reactor to call {@link QueueWait#queued}: a worker has queued a request. */
        void requestQueued();

        /** Asks the reactor to call {@link QueueWait#answerOutdated}: the queue has dropped a request. */
        void requestOutdated();

        /**
         * No request waits. Returns whether the conversation drops this object. If not, this method is called again soon. Thread: the
         * reactor.
         */
        boolean noneWaits();
    }

    /**
     * The longest time between two checks of the wait. Most requests are served before the first check; then the idle connection drops this
     * object.
     */
    static final long LOOK_NANOS = Saturated.nanos(Duration.ofMillis(250));

    private static final AtomicReferenceFieldUpdater<QueueWait, @Nullable Waiting> WAITING =
            AtomicReferenceFieldUpdater.newUpdater(QueueWait.class, Waiting.class, "waiting");

    private static final AtomicReferenceFieldUpdater<QueueWait, @Nullable Request> OUTDATED =
            AtomicReferenceFieldUpdater.newUpdater(QueueWait.class, Request.class, "outdated");

    private final ServerResources server;
    private final Link link;
    private final Owner owner;

    private @Nullable Deadline deadline;

    // The request that may wait. A worker may have taken it already; the queue knows.
    private volatile @Nullable Waiting waiting;

    // The request that the queue has dropped and that has not been answered yet.
    private volatile @Nullable Request outdated;

    /** @param since when the request began to wait */
    private record Waiting(Request request, long since) {}

    public QueueWait(ServerResources server, Link link, Owner owner) {
        this.server = server;
        this.link = link;
        this.owner = owner;
    }

    // ---- reactor

    /** Queues a request of this link. If the request has to wait, {@link #begin} must follow at once. */
    public static Offered offer(ServerResources server, Link link, Request request) {
        Offered offered = server.queue().offerOneOfMany(request);
        link.reactor().atEndOfRound(server.queue().wakeUp());
        return offered;
    }

    /** The request has been queued, and has to wait. */
    public void begin(Request request) {
        waitsFromNow(request);
        queued();
        if (request.isOver()) {
            over(request); // a worker had already served it before `waiting` was set
        }
    }

    /** A request has begun to wait: sets the deadline. The request may have been served meanwhile. */
    public void queued() {
        setDeadline(waiting, link.reactor().nanos());
    }

    private void setDeadline(@Nullable Waiting one, long now) {
        Deadline set = deadline;
        if (set == null) {
            set = new Deadline(link) {
                @Override
                protected void passed() throws IOException {
                    timedOut();
                }
            };
            deadline = set;
        }
        long soon = now + LOOK_NANOS;
        set.at(one == null || end(one) <= now ? soon : Math.min(soon, end(one)));
    }

    private long end(Waiting one) {
        return one.since() + Saturated.nanos(server.config().service().queueAge());
    }

    private void timedOut() throws IOException {
        Waiting old = waiting;
        if (old == null && owner.noneWaits()) {
            return;
        }
        long now = link.reactor().nanos();
        // Set the deadline first, because tooLate() may close the link.
        setDeadline(old, now);
        if (old != null && end(old) <= now && withdraw(old)) {
            old.request().tooLate(Key.QUEUE_AGE);
        }
    }

    /** Answers the request that the queue has dropped, if there is one. */
    public void answerOutdated() throws IOException {
        Request request = takeOutdated();
        if (request != null) {
            over(request);
            server.count(Counter.OUTDATED);
            request.tooLate(Key.OVERLOAD_AFTER);
        }
    }

    /** The connection has closed and its pipe has failed: drops the waiting request, if there is one. */
    public void onClosed() {
        if (deadline != null) {
            deadline.remove();
        }
        drop();
        dropOutdated();
    }

    // ---- worker

    /** Queues the client's next request, whose turn it is. */
    public Offered offerAsWorker(Request request) {
        waitsFromNow(request);
        Offered offered = queue().offer(request);
        switch (offered) {
            case WAITS -> queuedByWorker(request);
            case FULL, OVERLOADED -> over(request);
            case TAKEN -> {
                // over() clears `waiting`
            }
        }
        return offered;
    }

    /** Queues the client's next request, which the calling worker could serve at once. */
    public void giveWay(Request request) {
        waitsFromNow(request);
        queue().giveWay(request);
        queuedByWorker(request);
    }

    private void queuedByWorker(Request request) {
        owner.requestQueued(); // the reactor must set the deadline of the wait
        if (request.isClientGone()) {
            drop(); // the connection may have closed before `waiting` was set
        }
    }

    /** The request is over and no longer waits. */
    public void over(Request request) {
        Waiting one = waiting;
        if (one != null && one.request() == request) {
            WAITING.compareAndSet(this, one, null);
        }
    }

    // ---- both

    /** The overloaded queue has dropped this request, since it was among the requests that have waited longest. Any thread. */
    public void outdated(Request request) {
        outdated = request;
        owner.requestOutdated(); // the reactor must answer the client
        if (request.isClientGone()) {
            dropOutdated(); // the connection may have closed before `outdated` was set
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

    /** Removes the request from the queue. Returns false if a worker has taken it. */
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
