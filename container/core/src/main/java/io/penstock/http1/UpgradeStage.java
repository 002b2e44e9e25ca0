package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.IdleTimeout;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.MemoryWait;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the client's bytes after a request with the field {@code Upgrade} (RFC 9110 section 7.8). The bytes behind this request are not
 * framed until the request is answered. The answer decides whether these bytes belong to HTTP or to the other protocol.
 *
 * <p>Thread: the reactor, except for {@link #isUndecided}. Made when a request asks for an upgrade. After an upgrade, the deadline limits
 * the time in which no side sends bytes.
 *
 * <pre>
 *   DECIDING --answered in HTTP, or reading has ended--> NONE
 *        \--101--> UPGRADED   bytes without framing until the close
 * </pre>
 */
final class UpgradeStage {

    enum State {
        NONE,
        DECIDING,
        UPGRADED
    }

    private final Link link;
    private final Http1Connection connection;
    private final RequestReader in;
    private final MemoryWait memory;
    private final Timeouts timeouts;
    private final Deadline deadline;

    private State state = State.DECIDING;
    private @Nullable IncomingBody body;
    private @Nullable IdleTimeout idle;

    // The reactor writes this field, and then reads the state of the ResponseSlot. A worker changes that state, and
    // then reads this field. So at least one of the two threads sees the change of the other thread.
    private volatile @Nullable Http1Exchange undecided;

    /**
     * Made when a request with the field {@code Upgrade} has arrived completely, and before a worker can end this request.
     *
     * @param deadline the deadline of the reading half. This stage uses the deadline from now on
     */
    UpgradeStage(
            Http1Connection connection, RequestReader in, MemoryWait memory, Deadline deadline, Http1Exchange asks) {
        this.link = connection.link();
        this.connection = connection;
        this.in = in;
        this.memory = memory;
        this.timeouts = connection.server().config().timeouts();
        this.deadline = deadline;
        this.undecided = asks;
    }

    State state() {
        return state;
    }

    /** The object that takes the bytes of the upgraded connection; null before the upgrade. */
    @Nullable
    IncomingBody body() {
        return body;
    }

    /**
     * Whether the request has no answer yet, as far as the reactor knows. If so, the thread that ends a response must call the reactor. Any
     * thread.
     */
    boolean isUndecided() {
        return undecided != null;
    }

    // ---- deciding

    /** Checks whether the request has been answered in HTTP. If so, this method ends the stage and returns true, and framing continues. */
    boolean isDeclined() {
        Http1Exchange asked = undecided;
        return asked != null && asked.isOver() && decline();
    }

    /**
     * Ends the stage without an upgrade if it waits for the answer to {@code answered}, to which the server itself has answered. Returns
     * whether the stage has ended. The request of the stage may still be parked behind {@code answered}.
     */
    boolean decline(Http1Exchange answered) {
        return undecided == answered && decline();
    }

    private boolean decline() {
        boolean asked = state == State.DECIDING;
        if (asked) {
            state = State.NONE;
            undecided = null;
            connection.awaitRequest();
        }
        return asked;
    }

    /**
     * Passes the client's bytes to {@code to} from now on. Returns false if no request has asked for an upgrade, or if reading has ended.
     */
    boolean begin(IncomingBody to) {
        if (state != State.DECIDING) {
            return false;
        }
        state = State.UPGRADED;
        undecided = null;
        body = to;
        idle = new IdleTimeout(connection.writer().pipe(), deadline, timeouts.upgradeIdle());
        await();
        return true;
    }

    // ---- bytes

    /** How many bytes may be read now. */
    int mayRead() {
        IncomingBody arriving = body;
        if (state != State.UPGRADED || arriving == null) {
            return Integer.MAX_VALUE;
        }
        if (memory.isShort() && arriving.tryPauseForMemory()) {
            pauseForMemory();
            return 0;
        }
        int room = arriving.room();
        if (room == 0) {
            // The next bytes stay in the socket until the application has read.
            link.wantReadable(false);
        }
        return room;
    }

    /** Takes as many bytes as the pipe has room for. */
    void feed(ByteBuffer source) throws Violation {
        IncomingBody arriving = body;
        if (state != State.UPGRADED || arriving == null) {
            return;
        }
        IncomingBody.Fed fed = arriving.feed(source);
        await();
        if (fed == IncomingBody.Fed.NO_MEMORY) {
            pauseForMemory();
        }
    }

    private void pauseForMemory() {
        if (!memory.isWaiting()) {
            link.wantReadable(false);
            memory.begin();
        }
    }

    /** Called when the pipe or memory may have room again. Continues to read. */
    void resume() {
        IncomingBody arriving = body;
        if (state != State.UPGRADED || arriving == null) {
            return;
        }
        if (memory.isWaiting() && !arriving.tryPauseForMemory()) {
            // A worker waits for the client's bytes, so reading continues although memory is short.
            memory.end();
        }
        in.readOn();
    }

    /** Called when the input has ended, or will not be read any further. */
    void finish() {
        Objects.requireNonNull(body).finish();
        await();
    }

    /** Called when reading has ended. */
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

    /** Whether the server does not read, because memory is short, or because the application has not read what has arrived. */
    private boolean isPaused() {
        return !in.canReadSocket()
                || !in.hasEnded() && Objects.requireNonNull(body).room() == 0;
    }

    /** Called when the deadline has passed. */
    void timedOut() throws IOException {
        if (state == State.DECIDING) {
            deadline.off();
        } else if (isPaused() || Objects.requireNonNull(idle).hasMoved()) {
            // While reading is paused, the client does not count as idle.
            await();
        } else {
            connection.timedOut(Key.UPGRADE_IDLE_TIMEOUT);
            connection.close(new ConnectionClosed(CloseCause.UPGRADE_IDLE_TIMEOUT));
        }
    }
}
