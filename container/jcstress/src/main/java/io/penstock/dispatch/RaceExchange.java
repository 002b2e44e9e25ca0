package io.penstock.dispatch;

import io.penstock.exchange.Continuations;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.Peer;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import io.penstock.work.RequestQueue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An {@link Exchange} for tests. Like in a server, {@link Continuations} run its jobs one after the other. A thread of the test that adds a
 * job also runs jobs. The test decides when the time-out passes.
 */
final class RaceExchange implements Exchange {
    private static final Peer PEER = new Peer(
            "c1",
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 51000),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080),
            false);
    private static final RequestQueue ENDED = ended();

    private final RequestHead head;
    private final Object route;
    private final RaceBody body = new RaceBody();
    private final RaceResponse response;
    private final Continuations continuations = new Continuations(ENDED, new Unending());
    private final AtomicReference<Runnable> pending = new AtomicReference<>();

    /** An owner that ignores the end of the exchange, because the tests do not check this event. */
    private static final class Unending implements Continuations.Owner {
        @Override
        public boolean isDone() {
            return false;
        }

        @Override
        public void afterTurn(Continuations.End end) {}
    }

    /**
     * Returns a closed queue, so that no worker is needed. The thread that adds a job runs the job, if the other thread is not running a
     * job.
     */
    private static RequestQueue ended() {
        RequestQueue queue = new RequestQueue(0, 1);
        queue.close();
        return queue;
    }

    RaceExchange(RequestHead head, Object route) {
        this.head = head;
        this.response = new RaceResponse(head);
        this.route = route;
    }

    /** Ends the turn of the first dispatch, and runs the waiting jobs. */
    void endTurn() {
        continuations.runJobs();
    }

    /** Lets the time-out pass, like the scheduler of a server. */
    void timeIsOver() {
        Runnable job = pending.getAndSet(null);
        if (job != null) {
            resume(job);
        }
    }

    @Override
    public void resume(Runnable job) {
        continuations.add(job);
    }

    @Override
    public void execute(Runnable task) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Timeout resumeAfter(Duration delay, Runnable job) {
        pending.set(job);
        return () -> pending.compareAndSet(job, null);
    }

    /** The action is ignored, because the tests report a disconnection only by {@link RaceBody#disconnect}. */
    @Override
    public void whenGone(Runnable job) {}

    /** This method is not called, because the request has no multipart parts. */
    @Override
    public ByteAccount disk() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isTransformForbidden(ResponseHead response) {
        return false;
    }

    @Override
    public boolean isOverdue() {
        return false;
    }

    @Override
    public void timedOut(Key timeout) {}

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public RaceBody body() {
        return body;
    }

    @Override
    public RaceResponse response() {
        return response;
    }

    @Override
    public Peer peer() {
        return PEER;
    }

    @Override
    public Object route() {
        return route;
    }

    @Override
    public String id() {
        return "c1-1";
    }
}
