package io.penstock.http1;

import io.penstock.exchange.ServerResources;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.time.Saturated;
import io.penstock.work.RequestQueue;
import io.penstock.work.RequestQueue.Offered;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a connection's exchange in the request queue: it ends when a worker takes the exchange, when it has lasted too long, or with
 * the connection. The queue decides between a worker and those who end the wait: one side gets the exchange.
 *
 * <p>Thread: the reactor, but for {@link #offerAsWorker}, {@link #giveWay} and {@link #over}, which are for the worker that has the
 * connection's turn. Owns the deadline, which is set only for an exchange that waits; it may have been set for an earlier one.
 */
final class QueueWait {

    /** Answers an exchange that has waited too long, by one of two bounds. Thread: the reactor; no worker will get the exchange. */
    @FunctionalInterface
    interface TooLate {
        void tooLate(Http1Exchange exchange, Key limit) throws IOException;
    }

    private static final AtomicReferenceFieldUpdater<QueueWait, @Nullable Waiting> WAITING =
            AtomicReferenceFieldUpdater.newUpdater(QueueWait.class, Waiting.class, "waiting");

    private static final AtomicReferenceFieldUpdater<QueueWait, @Nullable Http1Exchange> OUTDATED =
            AtomicReferenceFieldUpdater.newUpdater(QueueWait.class, Http1Exchange.class, "outdated");

    private final ServerResources server;
    private final Link link;
    private final TooLate told;

    // Made by a wait, dropped by the first time it passes without one: most connections know none.
    private @Nullable Deadline deadline;

    // Perhaps a worker has it already; only the queue knows.
    private volatile @Nullable Waiting waiting;

    // No longer in the queue, which had no more room for it, and not answered yet.
    private volatile @Nullable Http1Exchange outdated;

    /** @param since when it came to wait */
    private record Waiting(Http1Exchange exchange, long since) {}

    QueueWait(ServerResources server, Link link, TooLate told) {
        this.server = server;
        this.link = link;
        this.told = told;
    }

    // ---- reactor

    Offered offer(Http1Exchange exchange) {
        Offered offered = queue().offer(exchange);
        if (offered == Offered.WAITS) {
            waitsFromNow(exchange);
            queued();
            if (exchange.isOver()) {
                over(exchange); // a worker was quicker, and could not see it here
            }
        }
        return offered;
    }

    /** An exchange has come to wait. */
    void queued() {
        Waiting newest = waiting;
        if (newest != null) {
            awaitEnd(newest);
        }
    }

    private void awaitEnd(Waiting one) {
        Deadline set = deadline;
        if (set == null) {
            set = new Deadline(link) {
                @Override
                void passed() throws IOException {
                    timedOut();
                }
            };
            deadline = set;
        }
        set.at(end(one));
    }

    private long end(Waiting one) {
        return one.since() + Saturated.nanos(server.config().service().queueAge());
    }

    private void timedOut() throws IOException {
        deadline = null; // it is off
        Waiting old = waiting;
        if (old == null) {
            return;
        }
        if (link.reactor().nanos() < end(old)) {
            awaitEnd(old); // it came to wait behind the one whose time has passed
        } else if (withdraw(old)) {
            told.tooLate(old.exchange(), Key.QUEUE_AGE);
        }
    }

    /** Answers what the queue has taken out, if it has. */
    void tellOutdated() throws IOException {
        Http1Exchange exchange = takeOutdated();
        if (exchange != null) {
            over(exchange);
            server.count(Counter.OUTDATED);
            told.tooLate(exchange, Key.OVERLOAD_AFTER);
        }
    }

    /** The connection has ended, and its pipe has failed: who waits need not be served. */
    void close() {
        if (deadline != null) {
            deadline.remove();
        }
        drop();
        dropOutdated();
    }

    // ---- worker

    /** Queues the client's next request, which has the turn. */
    Offered offerAsWorker(Http1Exchange exchange) {
        waitsFromNow(exchange);
        Offered offered = queue().offer(exchange);
        switch (offered) {
            case WAITS -> queuedByWorker(exchange);
            case FULL, OVERLOADED -> over(exchange);
            case TAKEN -> {
                // forgotten when it is over
            }
        }
        return offered;
    }

    /** Queues the client's next request, which its worker could serve at once. */
    void giveWay(Http1Exchange exchange) {
        waitsFromNow(exchange);
        queue().giveWay(exchange);
        queuedByWorker(exchange);
    }

    private void queuedByWorker(Http1Exchange exchange) {
        link.signal(Signals.QUEUED); // the reactor: it has waited too long at some time
        if (exchange.isClientGone()) {
            drop(); // the connection has ended perhaps before it was here
        }
    }

    /** This exchange is no longer of interest here. */
    void over(Http1Exchange exchange) {
        Waiting one = waiting;
        if (one != null && one.exchange() == exchange) {
            WAITING.compareAndSet(this, one, null);
        }
    }

    // ---- both

    /** The queue had no more room for this exchange, which it held. Any thread. */
    void outdated(Http1Exchange exchange) {
        outdated = exchange;
        link.signal(Signals.OUTDATED); // the reactor: its client is to be told
        if (exchange.isClientGone()) {
            dropOutdated(); // the connection has ended perhaps before it was here
        }
    }

    private void dropOutdated() {
        Http1Exchange exchange = takeOutdated();
        if (exchange != null) {
            exchange.discard();
        }
    }

    private @Nullable Http1Exchange takeOutdated() {
        return outdated == null ? null : OUTDATED.getAndSet(this, null);
    }

    private void waitsFromNow(Http1Exchange exchange) {
        waiting = new Waiting(exchange, link.reactor().nanos());
    }

    private void drop() {
        Waiting one = waiting;
        if (one != null && withdraw(one)) {
            one.exchange().discard();
        }
    }

    /** Returns whether it waited: no worker will get it from here on. */
    private boolean withdraw(Waiting one) {
        boolean waited = queue().withdraw(one.exchange());
        if (waited) {
            over(one.exchange());
        }
        return waited;
    }

    private RequestQueue queue() {
        return server.queue();
    }
}
