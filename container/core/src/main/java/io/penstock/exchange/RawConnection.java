package io.penstock.exchange;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Admission.Mode;
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
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An upgraded connection: a connection after a 101 response, or one stream of a connection whose protocol has streams. It carries bytes in
 * both directions without HTTP framing, through a request pipe and a response pipe. A read waits for the client while the input is empty. A
 * write waits for the client while the output has no room in memory or on disk. The application's code runs in jobs of the exchange that
 * asked for the upgrade ({@link Continuations}).
 *
 * <p>{@link Upgrade#begin} may wait for the client, so this call is queued like a streaming request. All later calls run in jobs of the
 * exchange. No worker waits between these calls.
 *
 * <p>Thread: {@link #begin}: the worker that has the exchange's turn. {@link #leave} and {@link #incoming}: the reactor. {@link #onClosed}:
 * the worker or the reactor. One application thread at a time
 * uses {@link #input()}, and one at a time uses {@link #output}. The other methods: any. Owns the connection's bytes in both directions.
 *
 * <pre>
 *   SWITCHING --begin--> QUEUED --a worker--> OPEN --connection ends--> ENDED
 *                           +---- connection ends, or no room in the queue ----^
 * </pre>
 */
public final class RawConnection {

    /** What carries the bytes: in HTTP/1.1 the whole connection, in HTTP/2 one stream. Thread: any. */
    public interface Carrier extends IncomingBody.Owner {

        /**
         * The exchange continues as {@code next}: the reactor then passes the client's bytes on without framing. If the carrier has failed
         * already, must call {@link RawConnection#onClosed}. Thread: a worker, once.
         */
        void upgraded(RawConnection next);

        /** Nothing more will be written: the reactor ends the output behind the bytes that wait. */
        void outputEnds();

        /** Ends both directions behind the bytes that wait, as {@link RawConnection#close}. Later causes are ignored. */
        void closeAfterResponse(ConnectionClosed cause);

        /** Ends both directions at once, so that the client notices it. Later causes are ignored. */
        void reset(ConnectionClosed cause);

        /** The reactor ends the input, as {@link RawConnection#requestLeave}. */
        void requestLeave();

        /** Never called: a streaming body does not go to disk. */
        @Override
        default void written() {
            throw new IllegalStateException("The input of an upgraded connection does not go to disk");
        }

        /** Never called: a streaming body does not wait for the disk. */
        @Override
        default void spillForOthers() {
            throw new IllegalStateException("The input of an upgraded connection does not go to disk");
        }
    }

    private enum State {
        /** The turn in which the application asked for the upgrade still runs. */
        SWITCHING,
        /** {@link Upgrade#begin} waits for a worker. */
        QUEUED,
        OPEN,
        ENDED
    }

    private static final int LONGEST_NAME = 64;

    private static final AtomicReferenceFieldUpdater<RawConnection, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(RawConnection.class, State.class, "state");
    private static final AtomicIntegerFieldUpdater<RawConnection> LEAVES =
            AtomicIntegerFieldUpdater.newUpdater(RawConnection.class, "leaves");

    private final Carrier carrier;
    private final RunningExchange exchange;
    private final Continuations continuations;
    private final Upgrade next;
    private final IncomingBody incoming;
    private final UpgradedInput input;
    private final UpgradedOutput output;
    private final String protocol;

    // Changed with STATE.
    private volatile State state = State.SWITCHING;

    // 1 if leave() was called. Changed with LEAVES.
    @SuppressWarnings("UnusedVariable")
    private volatile int leaves;

    // Written by the reactor before it ends the input.
    private volatile boolean leaving;

    // True while Upgrade.begin runs. The worker of this call already counts as streaming.
    private volatile boolean beginning;

    // Set by the last job of the exchange.
    private volatile boolean over;

    /** @param incoming the bytes from the client, as {@link #input(ServerResources, BodyDecoder, IncomingBody.Owner)} makes them */
    public RawConnection(Carrier carrier, RunningExchange exchange, IncomingBody incoming, Upgrade next) {
        this.carrier = carrier;
        this.exchange = exchange;
        this.continuations = exchange.continuations();
        this.next = next;
        this.incoming = incoming;
        this.protocol = protocol(exchange.head().fields().first("Upgrade"));
        ServerResources server = exchange.server();
        ResponseWriter writer = exchange.writer();
        this.input = new UpgradedInput(server, incoming.outlet(), this::isBeginning);
        this.output = new UpgradedOutput(
                carrier,
                server,
                writer,
                new ResponseSpill(
                        server,
                        exchange.spoolShare(),
                        writer,
                        this::isBeginning,
                        new SpoolHistory(),
                        RequestObserver.NONE),
                exchange::resume);
    }

    /** A client can list many protocols. The name lives as long as the connection, so its end is left out if it is long. */
    private static String protocol(@Nullable String asked) {
        String all = String.valueOf(asked);
        return all.length() <= LONGEST_NAME ? all : all.substring(0, LONGEST_NAME);
    }

    /** Makes the pipe for the bytes from the client. It has no share of the spool, since the input streams. */
    public static IncomingBody input(ServerResources server, BodyDecoder decoder, IncomingBody.Owner owner) {
        return new IncomingBody(
                server,
                null,
                Mode.STREAMING,
                decoder,
                -1,
                Long.MAX_VALUE,
                Expectation.NONE,
                RequestObserver.NONE,
                owner);
    }

    private boolean isBeginning() {
        return beginning;
    }

    /** The name of the requested protocol, for reports to the operator. */
    public String protocol() {
        return protocol;
    }

    // ---- reactor

    /** The bytes that arrive after the upgrade. */
    public IncomingBody incoming() {
        return incoming;
    }

    /** Called when the server or the application is about to end the input. */
    public void beginLeaving() {
        leaving = true;
    }

    /**
     * Called when the server has ended the input and the connection must end. First the listeners of the streams are called, then {@link
     * Upgrade#leave}. Idempotent.
     */
    public void leave() {
        if (LEAVES.compareAndSet(this, 0, 1)) {
            exchange.resumeWhenIdle(next::leave);
        }
    }

    /** Called when the connection has closed. First the listeners of the streams are called, then {@link Upgrade#ended}. Idempotent. */
    public void onClosed(ConnectionClosed cause) {
        if (STATE.getAndSet(this, State.ENDED) != State.ENDED) {
            // The reactor ends the input only if the reactor has begun to fill the input. So this method always ends
            // the input.
            incoming.fail(cause);
            exchange.resumeWhenIdle(this::notifyEnded);
        }
    }

    private void notifyEnded() {
        output.onClosed();
        over = true;
        try {
            next.ended();
        } finally {
            exchange.releaseRest();
            incoming.discard(); // nobody reads the rest
        }
    }

    /** Whether the connection has ended, and the application knows it. Any thread. */
    public boolean isOver() {
        return over;
    }

    // ---- worker

    /** Called once, when the turn in which the application asked for the upgrade has ended. Thread: the worker of this turn. */
    public void begin() {
        exchange.releaseForUpgrade();
        exchange.response().close();
        exchange.forgetRequest();
        if (!STATE.compareAndSet(this, State.SWITCHING, State.QUEUED)) {
            return;
        }
        carrier.upgraded(this);
        StartJob job = new StartJob();
        switch (exchange.server().queue().offer(job)) {
            case FULL, OVERLOADED -> {
                Key full = exchange.full();
                exchange.countRefusal(full);
                carrier.closeAfterResponse(new ConnectionClosed(CloseCause.OVERLOADED, full.id()));
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
            if (STATE.compareAndSet(RawConnection.this, State.QUEUED, State.OPEN)) {
                beginning = true;
                exchange.runWithoutDeadline(same -> next.begin(RawConnection.this));
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

    /** The bytes from the client. The input ends when the client closes its sending direction. */
    public RequestBody input() {
        return input;
    }

    /**
     * The bytes to the client. {@link ResponseSink#finish} closes the output. After that, the input can still be read. The output has no
     * response heads.
     */
    public UpgradedOutput output() {
        return output;
    }

    /** Takes bytes without waiting for the client, as {@link io.penstock.part.UpgradedConnection#offer}. */
    public void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) throws IOException {
        output.offer(head, payload, mayUseDisk);
    }

    /** Waits until {@link #offer} can take bytes into memory. Returns false if {@code nanos} have passed first. */
    public boolean awaitRoom(long nanos) throws IOException {
        return output.awaitRoom(nanos);
    }

    /** The bytes that were written and that the client has not taken, in memory and on disk. */
    public long pendingBytes() {
        return output.pendingBytes();
    }

    /** Runs {@code action} on a worker, in no order with the jobs of the exchange. The action may wait for the disk. */
    public void work(Runnable action) {
        exchange.server().queue().resume(new Task(action));
    }

    /** Runs {@code action} after {@code delay}, on the thread of the server's scheduler. */
    public Future<?> after(Duration delay, Runnable action) {
        return exchange.server().scheduler().after(delay, action);
    }

    /** Adds to a counter of the server. */
    public void count(Counter counter, long number) {
        exchange.server().count(counter, number);
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

    /** Stops reading, sends the bytes that have been written, and ends the connection. Does not wait. Idempotent. */
    public void close() {
        output.refuseWrites();
        incoming.discard();
        carrier.closeAfterResponse(new ConnectionClosed(CloseCause.UPGRADE_ENDED));
    }

    /** Requests a call of {@link Upgrade#leave}, because the application is being stopped and the connection must end. Idempotent. */
    public void requestLeave() {
        carrier.requestLeave();
    }

    /** Whether the application or the server is being stopped. The result becomes true before the input ends for this reason. */
    public boolean isLeaving() {
        return leaving;
    }

    /** Whether the connection has ended. */
    public boolean hasEnded() {
        return state == State.ENDED || exchange.isClientGone();
    }
}
