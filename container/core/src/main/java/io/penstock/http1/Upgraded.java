package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Admission.Mode;
import io.penstock.exchange.Continuations;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.RequestBody;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseSpill;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.SpoolHistory;
import io.penstock.exchange.Upgrade;
import io.penstock.http.BodyDecoder;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.work.Job;
import io.penstock.work.Lane;
import io.penstock.work.Mapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection after a 101 response. It carries bytes in both directions, through a request pipe and a response pipe. The application's
 * code runs in jobs of the exchange that asked for the upgrade ({@link Continuations}).
 *
 * <p>{@link Upgrade#begin} may wait for the client, so this call is queued like a streaming request. All later calls run in jobs of the
 * exchange. No worker waits between these calls.
 *
 * <p>Thread: {@link #begin}: the worker that has the exchange's turn. {@link #leave} and {@link #incoming}: the reactor. {@link #onClosed}:
 * the worker or the reactor. The other methods: any. Owns the connection's bytes in both directions.
 *
 * <pre>
 *   SWITCHING --begin--> QUEUED --a worker--> OPEN --connection ends--> ENDED
 *                           +---- connection ends, or no room in the queue ----^
 * </pre>
 */
final class Upgraded implements RawConnection, IncomingBody.Owner {

    private enum State {
        /** The turn in which the application asked for the upgrade still runs. */
        SWITCHING,
        /** {@link Upgrade#begin} waits for a worker. */
        QUEUED,
        OPEN,
        ENDED
    }

    private final Http1Connection connection;
    private final Http1Exchange exchange;
    private final Continuations continuations;
    private final Upgrade next;
    private final IncomingBody incoming;
    private final UpgradedInput input;
    private final UpgradedOutput output;
    private final AtomicReference<State> state = new AtomicReference<>(State.SWITCHING);
    private final AtomicBoolean leaveStarted = new AtomicBoolean();

    // Written by the reactor before it ends the input.
    private volatile boolean leaving;

    // True while Upgrade.begin runs. The worker of this call already counts as streaming.
    private volatile boolean beginning;

    Upgraded(Http1Connection connection, Http1Exchange exchange, Continuations continuations, Upgrade next) {
        this.connection = connection;
        this.exchange = exchange;
        this.continuations = continuations;
        this.next = next;
        ServerResources server = connection.server();
        this.incoming = new IncomingBody(
                server,
                null, // no share of the spool, since the input streams
                Mode.STREAMING,
                BodyDecoder.fixed(Long.MAX_VALUE),
                -1,
                Long.MAX_VALUE,
                Expectation.NONE,
                RequestObserver.NONE,
                this);
        this.input = new UpgradedInput(server, incoming.outlet(), this::isBeginning);
        this.output = new UpgradedOutput(
                connection,
                new ResponseSpill(
                        server,
                        exchange.spoolShare(),
                        connection.writer(),
                        this::isBeginning,
                        new SpoolHistory(),
                        RequestObserver.NONE),
                exchange::resume);
    }

    private boolean isBeginning() {
        return beginning;
    }

    /** The name of the requested protocol, for reports to the operator. */
    String protocol() {
        return String.valueOf(exchange.head().fields().first("Upgrade"));
    }

    // ---- reactor

    /** The bytes that arrive after the upgrade. */
    IncomingBody incoming() {
        return incoming;
    }

    @Override
    public void wantAttention() {
        connection.wantAttention();
    }

    /** Never called: a streaming body does not go to disk. */
    @Override
    public void written() {
        throw new IllegalStateException("The input of an upgraded connection does not go to disk");
    }

    /** Never called: a streaming body does not wait for the disk. */
    @Override
    public void spillForOthers() {
        throw new IllegalStateException("The input of an upgraded connection does not go to disk");
    }

    /** Called when the server or the application is about to end the input. */
    void beginLeaving() {
        leaving = true;
    }

    /**
     * Called when the server has ended the input and the connection must end. First the listeners of the streams are called, then {@link
     * Upgrade#leave}. Idempotent.
     */
    void leave() {
        if (leaveStarted.compareAndSet(false, true)) {
            exchange.resumeWhenIdle(next::leave);
        }
    }

    /** Called when the connection has closed. First the listeners of the streams are called, then {@link Upgrade#ended}. Idempotent. */
    void onClosed(ConnectionClosed cause) {
        if (state.getAndSet(State.ENDED) != State.ENDED) {
            // The reactor ends the input only if the reactor has begun to fill the input. So this method always ends
            // the input.
            incoming.fail(cause);
            exchange.resumeWhenIdle(this::notifyEnded);
        }
    }

    private void notifyEnded() {
        output.onClosed();
        next.ended();
    }

    // ---- worker

    /** Called once, when the turn in which the application asked for the upgrade has ended. Thread: the worker of this turn. */
    void begin() {
        exchange.close();
        if (!state.compareAndSet(State.SWITCHING, State.QUEUED)) {
            return;
        }
        connection.upgraded(this);
        StartJob job = new StartJob();
        switch (connection.server().queue().offer(job)) {
            case FULL, OVERLOADED -> {
                Key full = exchange.full();
                exchange.countRefusal(full);
                connection.closeAfterResponse(new ConnectionClosed(CloseCause.OVERLOADED, full.id()));
                job.abandon();
            }
            case TAKEN, WAITS -> {
                // A worker has taken the job, or will take it.
            }
        }
    }

    /** Calls {@link Upgrade#begin}. */
    private final class StartJob implements Job {
        @Override
        public boolean isStreaming() {
            return true;
        }

        @Override
        public @Nullable Lane lane() {
            return exchange.lane();
        }

        @Override
        public @Nullable Mapping mapping() {
            return exchange.mapping();
        }

        @Override
        public void run() {
            continuations.takeOver();
            if (state.compareAndSet(State.QUEUED, State.OPEN)) {
                beginning = true;
                exchange.runWithoutDeadline(same -> next.begin(Upgraded.this));
                beginning = false;
            }
            // Later calls run in another job, which does not count as streaming.
            continuations.release();
        }

        @Override
        public void abandon() {
            continuations.takeOver();
            close();
            continuations.release();
        }

        @Override
        public String describe() {
            return exchange.describe();
        }
    }

    // ---- for the application

    @Override
    public RequestBody input() {
        return input;
    }

    @Override
    public UpgradedOutput output() {
        return output;
    }

    @Override
    public void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) throws IOException {
        output.offer(head, payload, mayUseDisk);
    }

    @Override
    public boolean awaitRoom(long nanos) throws IOException {
        return output.awaitRoom(nanos);
    }

    @Override
    public long pendingBytes() {
        return output.pendingBytes();
    }

    @Override
    public void work(Runnable action) {
        connection.server().queue().resume(new Task(action));
    }

    @Override
    public Future<?> after(Duration delay, Runnable action) {
        return connection.server().scheduler().after(delay, action);
    }

    @Override
    public void count(Counter counter, long number) {
        connection.server().count(counter, number);
    }

    /** Work of the connection that is no job of the exchange. It runs even while the application's code waits for it. */
    private record Task(Runnable action) implements Job {
        @Override
        public void run() {
            action.run();
        }

        @Override
        public void abandon() {
            action.run();
        }

        @Override
        public String describe() {
            return "output of an upgraded connection";
        }
    }

    @Override
    public void close() {
        output.refuseWrites();
        incoming.discard();
        connection.closeAfterResponse(new ConnectionClosed(CloseCause.UPGRADE_ENDED));
    }

    @Override
    public void requestLeave() {
        connection.link().signal(Signals.LEAVE); // the reactor then ends the input
    }

    @Override
    public boolean isLeaving() {
        return leaving;
    }

    @Override
    public boolean hasEnded() {
        return state.get() == State.ENDED || exchange.isClientGone();
    }
}
