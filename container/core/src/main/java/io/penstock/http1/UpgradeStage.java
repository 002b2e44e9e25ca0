package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.IdleTimeout;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.MemoryWait;
import io.penstock.exchange.ServerResources;
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
 * Reads a connection after a request with {@code Upgrade} (RFC 9110 section 7.8). The bytes behind that request wait unread until it is
 * answered. Then they belong to HTTP again, or to the other protocol.
 *
 * <p>Thread: the reactor, except for {@link #isUndecided}. Made when a request asks for an upgrade. The deadline of an upgraded connection
 * limits the time in which neither side sends.
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
    private final RequestReader.Connection connection;
    private final RequestReader in;
    private final MemoryWait memory;
    private final Timeouts timeouts;
    private final Deadline deadline;

    private State state = State.DECIDING;
    private @Nullable IncomingBody body;
    private @Nullable IdleTimeout idle;

    // Written before the response slot is read; read by the worker after it has changed the slot.
    private volatile @Nullable Http1Exchange undecided;

    /**
     * A request with {@code Upgrade} has arrived completely. The stage is made before its worker can end the request.
     *
     * @param deadline of the reading half, which this stage uses from here on
     */
    UpgradeStage(
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

    /** Takes the bytes of the upgraded connection; null before the upgrade. */
    @Nullable
    IncomingBody body() {
        return body;
    }

    /** Whether the thread that ends a response must call the reactor. Any thread. */
    boolean isUndecided() {
        return undecided != null;
    }

    // ---- deciding

    /** Whether the request has been answered in HTTP. If so, framing continues. */
    boolean isDeclined() {
        Http1Exchange asked = undecided;
        return asked != null && asked.isOver() && decline();
    }

    /** The request will not be upgraded; returns whether it had asked for an upgrade. */
    boolean decline() {
        boolean asked = state == State.DECIDING;
        if (asked) {
            state = State.NONE;
            undecided = null;
            deadline.in(timeouts.keepAlive());
        }
        return asked;
    }

    /** Passes the bytes to {@code to} from here on. Returns false if no request has asked for an upgrade, or if reading has ended. */
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
            link.wantReadable(false); // the next bytes wait for the application
        }
        return room;
    }

    /** Takes as many bytes as there is room for. */
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

    /** The pipe or memory may have room again. */
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

    /** The input has ended, or will not be read further. */
    void finish() {
        Objects.requireNonNull(body).finish();
        await();
    }

    /** Reading has ended. */
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
        } else if (!in.mayReadOn() || Objects.requireNonNull(idle).hasMoved()) {
            // While reading pauses, the client does not count as idle.
            await();
        } else {
            connection.timedOut(Key.UPGRADE_IDLE_TIMEOUT);
            connection.close(new ConnectionClosed(CloseCause.UPGRADE_IDLE_TIMEOUT));
        }
    }
}
