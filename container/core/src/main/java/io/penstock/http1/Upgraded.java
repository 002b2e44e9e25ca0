package io.penstock.http1;

import io.penstock.exchange.Admission.Mode;
import io.penstock.exchange.Continuations;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.RequestBody;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseSpill;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Upgrade;
import io.penstock.http.BodyDecoder;
import io.penstock.limits.Key;
import io.penstock.work.Job;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection behind a response of 101: bytes both ways through the pipes that requests and responses go through, in turns of the exchange
 * that asked for it.
 *
 * <p>Its beginning waits in the line of what streams, since it may wait for the client; what follows are continuations, which no worker
 * is held for while nothing happens.
 *
 * <p>Thread: {@link #begin} the worker of the exchange's turn, {@link #leave} and {@link #incoming} the reactor, {@link #ended} both, the
 * rest any. Owns the connection's bytes in both directions.
 *
 * <pre>
 *   SWITCHING --begin--> QUEUED --a worker--> OPEN --connection ends--> ENDED
 *                           +---- connection ends, or no room in the queue ----^
 * </pre>
 */
final class Upgraded implements RawConnection, IncomingBody.Owner {

    /** How far it is. */
    private enum State {
        /** The turn that asked for it still runs. */
        SWITCHING,
        /** The call that begins it waits for a worker. */
        QUEUED,
        OPEN,
        ENDED
    }

    private final Http1Exchange.Connection connection;
    private final Http1Exchange exchange;
    private final Continuations continuations;
    private final Upgrade next;
    private final IncomingBody incoming;
    private final RawInput input;
    private final RawOutput output;
    private final AtomicReference<State> state = new AtomicReference<>(State.SWITCHING);
    private final AtomicBoolean leaves = new AtomicBoolean();

    // Written by the reactor before it ends the input.
    private volatile boolean leaving;

    // While the call that begins it runs, which counts as one that streams whatever it does.
    private volatile boolean beginning;

    Upgraded(Http1Exchange.Connection connection, Http1Exchange exchange, Continuations continuations, Upgrade next) {
        this.connection = connection;
        this.exchange = exchange;
        this.continuations = continuations;
        this.next = next;
        ServerResources server = connection.server();
        this.incoming = new IncomingBody(
                server,
                Mode.STREAMING,
                BodyDecoder.fixed(Long.MAX_VALUE),
                -1,
                Long.MAX_VALUE,
                Expectation.NONE,
                RequestObserver.NONE,
                this);
        this.input = new RawInput(server, incoming.outlet(), this::isBeginning);
        this.output = new RawOutput(
                connection,
                new ResponseSpill(server, connection.writer(), this::isBeginning, RequestObserver.NONE),
                exchange::resume);
    }

    private boolean isBeginning() {
        return beginning;
    }

    /** What the client has asked for, for the operator. */
    String protocol() {
        return String.valueOf(exchange.head().fields().first("Upgrade"));
    }

    // ---- reactor

    /** What arrives from here on. */
    IncomingBody incoming() {
        return incoming;
    }

    @Override
    public void wantAttention() {
        connection.wantAttention();
    }

    /** Never called: a body that streams does not go to disk. */
    @Override
    public void spillForOthers() {
        throw new IllegalStateException("The input of an upgraded connection does not go to disk");
    }

    /** The input is about to be ended, and not by the client. */
    void beginLeaving() {
        leaving = true;
    }

    /** The input has ended, and so must the rest. Listeners at the pipe are called first. */
    void leave() {
        if (leaves.compareAndSet(false, true)) {
            afterListeners(next::leave);
        }
    }

    /** The connection has ended. Listeners at its pipes are called first. Idempotent. */
    void ended(IOException cause) {
        if (state.getAndSet(State.ENDED) != State.ENDED) {
            incoming.fail(cause); // also where the reactor has not begun to fill it
            afterListeners(this::finish);
        }
    }

    /** Listeners at the pipes are called by two jobs, which may be added by the one that runs now. */
    private void afterListeners(Runnable job) {
        exchange.resume(() -> exchange.resume(() -> exchange.resume(job)));
    }

    private void finish() {
        output.close();
        next.ended();
    }

    // ---- worker

    /** The turn that asked for the upgrade has ended. Thread: its worker, once. */
    void begin() {
        if (!state.compareAndSet(State.SWITCHING, State.QUEUED)) {
            return;
        }
        exchange.close();
        connection.upgraded(this);
        Beginning job = new Beginning();
        switch (connection.server().queue().offer(job)) {
            case FULL, OVERLOADED -> {
                connection.server().reached(Key.QUEUE);
                job.abandon();
            }
            case TAKEN, WAITS -> {
                // a worker has it, or will have it
            }
        }
    }

    /** The call that begins it. */
    private final class Beginning implements Job {
        @Override
        public boolean isStreaming() {
            return true;
        }

        @Override
        public void run() {
            continuations.takeOver();
            if (state.compareAndSet(State.QUEUED, State.OPEN)) {
                beginning = true;
                exchange.runWithoutDeadline(() -> next.begin(Upgraded.this));
                beginning = false;
            }
            continuations.release(); // not here: what follows does not count as streaming
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
    public RawOutput output() {
        return output;
    }

    @Override
    public void close() {
        output.end();
        incoming.discard();
        connection.signal(Signals.FINISHED_CLOSING); // the reactor: what waits leaves, then the connection ends
    }

    @Override
    public void askToLeave() {
        connection.signal(Signals.LEAVE); // the reactor: the input ends
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
