package io.penstock.http1;

import io.penstock.exchange.Deadline;
import io.penstock.exchange.IdleTimeout;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.MemoryWait;
import io.penstock.exchange.ServerResources;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What arrives on a connection behind a request that has asked for another protocol: nothing of it is framed until the request is
 * answered, and then as HTTP again, or never (RFC 9110 section 7.8).
 *
 * <p>Thread: the reactor, but for {@link #isUndecided}. An upgraded connection's deadline is for the time in which neither side sends. Begins with the
 * request that asks; where none does there is none.
 *
 * <pre>
 *   DECIDING --answered in HTTP, or nothing is framed any more--> NONE
 *        \--101--> RAW   bytes go past framing until the close
 * </pre>
 */
final class RawStage {

    enum State {
        NONE,
        DECIDING,
        RAW
    }

    private final Link link;
    private final RequestReader.Connection connection;
    private final RequestReader in;
    private final MemoryWait memory;
    private final Timeouts timeouts;
    private final Deadline deadline;

    private State state = State.DECIDING;
    private @Nullable IncomingBody body;
    private @Nullable IdleTimeout idle;

    // Written before the turn is looked at, read by the worker after it has changed the turn.
    private volatile @Nullable Http1Exchange undecided;

    /**
     * A request has come whole that asks for another protocol. Made before its worker can end it.
     *
     * @param deadline of the reading half, which is this stage's from here on
     */
    RawStage(
            ServerResources server,
            Link link,
            RequestReader.Connection connection,
            RequestReader in,
            MemoryWait memory,
            Deadline deadline,
            Http1Exchange asks) {
        this.link = link;
        this.connection = connection;
        this.in = in;
        this.memory = memory;
        this.timeouts = server.config().timeouts();
        this.deadline = deadline;
        this.undecided = asks;
    }

    State state() {
        return state;
    }

    /** What takes the bytes of an upgraded connection, if it is one. */
    @Nullable
    IncomingBody body() {
        return body;
    }

    /** Whether the thread that ends a response must call the reactor. Any thread. */
    boolean isUndecided() {
        return undecided != null;
    }

    // ---- deciding

    /** Whether the request has been answered in HTTP, so that framing goes on; from here on it does. */
    boolean isDeclined() {
        Http1Exchange asked = undecided;
        return asked != null && asked.isOver() && decline();
    }

    /** The request will not be upgraded; returns whether it had asked for that. */
    boolean decline() {
        boolean asked = state == State.DECIDING;
        if (asked) {
            state = State.NONE;
            undecided = null;
            deadline.in(timeouts.keepAlive());
        }
        return asked;
    }

    /** From here on what arrives goes to {@code to} as it is. Returns false if that was not asked for, or nothing is read any more. */
    boolean begin(IncomingBody to) {
        if (state != State.DECIDING) {
            return false;
        }
        state = State.RAW;
        undecided = null;
        body = to;
        idle = new IdleTimeout(connection.writer().pipe(), deadline, timeouts.upgradeIdle());
        await();
        return true;
    }

    // ---- bytes

    /** Bytes that have a place now. */
    int mayRead() {
        IncomingBody arriving = body;
        if (state != State.RAW || arriving == null) {
            return Integer.MAX_VALUE;
        }
        if (memory.isShort() && arriving.mayStarve()) {
            starve();
            return 0;
        }
        int room = arriving.room();
        if (room == 0) {
            link.wantReadable(false); // the application is waited for now, not the client
        }
        return room;
    }

    /** Takes bytes; returns whether more of the buffer may be taken. */
    boolean feed(ByteBuffer source) throws Violation {
        IncomingBody arriving = body;
        if (state != State.RAW || arriving == null) {
            return false;
        }
        IncomingBody.Fed fed = arriving.feed(source);
        await();
        if (fed == IncomingBody.Fed.STARVING) {
            starve();
        }
        return fed == IncomingBody.Fed.TAKEN;
    }

    private void starve() {
        if (!memory.isWaiting()) {
            link.wantReadable(false);
            memory.begin();
        }
    }

    /** Something that was waited for has happened. */
    void resume() {
        IncomingBody arriving = body;
        if (state != State.RAW || arriving == null) {
            return;
        }
        if (memory.isWaiting() && !arriving.mayStarve()) {
            memory.end(); // a worker waits for the client
        }
        in.readOn();
    }

    /** Nothing more comes, or nothing more is to be read. */
    void finish() {
        Objects.requireNonNull(body).finish();
        await();
    }

    /** Nothing more is taken, or waited for. */
    void leave() {
        memory.end();
        undecided = null;
        if (state == State.DECIDING) {
            state = State.NONE;
        }
    }

    // ---- time

    private void await() {
        Objects.requireNonNull(idle).restart();
    }

    /** The deadline has passed. */
    void timedOut() throws IOException {
        if (state == State.DECIDING) {
            deadline.off();
        } else if (!in.mayReadOn()
                || Objects.requireNonNull(idle).hasMoved()) { // a client that is not read is not idle
            await();
        } else {
            connection.timedOut(Key.UPGRADE_IDLE_TIMEOUT);
            connection.close(Key.UPGRADE_IDLE_TIMEOUT.id());
        }
    }
}
