package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Conversation;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.WebSocket;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * One slow client of a {@link Crowd}. In the state COMING the client is connecting; in the state STANDING it counts as connected.
 *
 * <pre>
 *   COMING ──> STANDING ──> BEING_ANSWERED      from each: GONE
 *                  ^──────────────┘             (only readers have the state BEING_ANSWERED)
 * </pre>
 *
 * Thread: the thread of the {@link ClientLoop}.
 */
abstract class Member implements Conversation {
    private enum State {
        COMING,
        STANDING,
        BEING_ANSWERED,
        GONE
    }

    private final Crowd crowd;
    private final CrowdPlan.Group group;
    private State state = State.COMING;

    Member(Crowd crowd, CrowdPlan.Group group) {
        this.crowd = crowd;
        this.group = group;
    }

    /** Starts to make the connection of this client. */
    Wire open(ClientLoop loop) throws CallException {
        return loop.open(manner().target().address(), this);
    }

    final Crowd crowd() {
        return crowd;
    }

    final CrowdPlan.Group group() {
        return group;
    }

    final SlowClient.Manner manner() {
        return group.manner();
    }

    /** The number of connected clients that this connection counts as. */
    int clients() {
        return 1;
    }

    final boolean isStanding() {
        return state == State.STANDING || state == State.BEING_ANSWERED;
    }

    final boolean isBeingAnswered() {
        return state == State.BEING_ANSWERED;
    }

    /** Whether the client has sent its burst. A burst is the bytes that a client sends at once, before it becomes slow. */
    boolean hasSentBurst() {
        return false;
    }

    /** Counts the client as connected, or each stream of it. From now on the client is slow. */
    final void stand() {
        if (state == State.COMING) {
            state = State.STANDING;
            crowd.onStanding(clients());
        } else if (state == State.BEING_ANSWERED) {
            state = State.STANDING;
        }
    }

    /** Records that the first bytes of a response have arrived. The client reads the response slowly. */
    final void beAnswered() {
        if (state == State.STANDING) {
            state = State.BEING_ANSWERED;
        }
    }

    @Override
    public final void onEnd(Wire wire, CallException cause) {
        crowd.onGone(this, wire, cause);
        state = State.GONE;
    }

    /** Closes the connection after a response, since the server accepts no more requests on this connection. */
    final void leave(Wire wire) {
        wire.close();
        onEnd(wire, new CallException(Failure.CLOSED_EARLY, "The server answered and closed the connection"));
    }

    /**
     * A slow client that sends one request, receives the response, and keeps its connection open. Thread: the thread of the {@code
     * ClientLoop}.
     */
    static final class IdleMember extends Member {
        private final ResponseReader response = new ResponseReader();

        IdleMember(Crowd crowd, CrowdPlan.Group group) {
            super(crowd, group);
        }

        @Override
        public void onOpen(Wire wire) {
            wire.send(manner().target().get());
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
            if (!response.read(bytes)) {
                return;
            }
            if (response.isPersistent()) {
                stand();
            } else {
                leave(wire);
            }
        }
    }

    /** A session of WebSocket that never reads, or is idle after one message. Thread: the thread of the {@code ClientLoop}. */
    static final class WebSocketMember extends Member implements WebSocket.Listener {
        private static final String CONTENT = "{\"user\":\"Ada\",\"text\":\"Hello\"}".repeat(64);
        private static final ByteBuffer PLAIN = WebSocket.text(CONTENT, false);
        private static final ByteBuffer DEFLATED = WebSocket.text(CONTENT, true);

        private final boolean deflated = group().client() == SlowClient.WS_IDLE_DEFLATED;
        private final WebSocket socket = new WebSocket(manner().target(), deflated, this);

        WebSocketMember(Crowd crowd, CrowdPlan.Group group) {
            super(crowd, group);
        }

        @Override
        public void onOpen(Wire wire) {
            socket.onOpen(wire);
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
            socket.onBytes(wire, bytes);
        }

        @Override
        public void onAccepted(WebSocket accepted) {
            if (group().client() == SlowClient.WS_READER) {
                accepted.stopReading();
                stand();
            } else {
                accepted.send(deflated ? DEFLATED : PLAIN);
            }
        }

        @Override
        public void onMessage(WebSocket answered) {
            stand();
        }
    }

    /** A slow client that sends half of a request head, and then nothing more. Thread: the thread of the {@code ClientLoop}. */
    static final class HalfHeadMember extends Member {

        HalfHeadMember(Crowd crowd, CrowdPlan.Group group) {
            super(crowd, group);
        }

        @Override
        public void onOpen(Wire wire) {
            wire.send(manner().target().halfHead());
            stand();
        }

        /** Ignores the response that a server sends before it closes the connection after a timeout. */
        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) {
            bytes.position(bytes.limit());
        }
    }

    /** A slow client that begins a TLS handshake, and then sends nothing more. Thread: the thread of the {@link ClientLoop}. */
    static final class HalfHandshakeMember extends Member {
        private static final ByteBuffer HELLO = hello();

        HalfHandshakeMember(Crowd crowd, CrowdPlan.Group group) {
            super(crowd, group);
        }

        private static ByteBuffer hello() {
            try {
                SSLEngine engine = SSLContext.getDefault().createSSLEngine();
                engine.setUseClientMode(true);
                ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
                engine.wrap(ByteBuffer.allocate(0), record);
                return record.flip().asReadOnlyBuffer();
            } catch (NoSuchAlgorithmException | SSLException impossible) {
                throw new IllegalStateException("The JDK has no TLS", impossible);
            }
        }

        /** Opens the connection without the TLS of the {@link ClientLoop}, since this class sends the bytes of TLS itself. */
        @Override
        Wire open(ClientLoop loop) throws CallException {
            return loop.openPlain(manner().target().address(), this);
        }

        @Override
        public void onOpen(Wire wire) {
            boolean whole = group().client() == SlowClient.HALF_HANDSHAKE;
            ByteBuffer hello = HELLO.duplicate();
            wire.send(whole ? hello : hello.limit(hello.limit() / 2));
            if (!whole) {
                stand();
            }
        }

        /** Receives the server's messages of the handshake, or the alert with which the server ends the connection. */
        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) {
            bytes.position(bytes.limit());
            stand();
        }
    }

    /**
     * A slow client that sends request bodies in small pieces of a few bytes (drops). First the client sends the head, a burst of bytes if
     * there is one, and one drop. After that it sends one drop after each pause. Thread: the thread of the {@code ClientLoop}.
     */
    static final class UploadMember extends Member {
        private static final ByteBuffer SPACES = spaces();

        /** The state of the burst. A burst is the bytes that the client sends at once, before it becomes slow. */
        private enum Burst {
            NONE,
            LEAVING,
            SENT
        }

        private final ResponseReader response = new ResponseReader();
        private Burst burst;
        private int unsent;

        UploadMember(Crowd crowd, CrowdPlan.Group group) {
            super(crowd, group);
            this.burst = manner().burst() == 0 ? Burst.NONE : Burst.LEAVING;
        }

        @Override
        public void onOpen(Wire wire) {
            startBody(wire);
            stand();
        }

        @Override
        public void onSent(Wire wire) {
            if (burst == Burst.LEAVING) {
                burst = Burst.SENT;
            }
        }

        @Override
        boolean hasSentBurst() {
            return burst == Burst.SENT;
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
            if (!response.read(bytes)) {
                return;
            }
            crowd().onAnswer(response.status());
            if (unsent == 0 && response.isPersistent()) {
                startBody(wire);
            } else {
                leave(wire);
            }
        }

        private void startBody(Wire wire) {
            response.reset();
            unsent = manner().length();
            wire.send(manner().target().headOfPost(manner().length()));
            send(wire, manner().burst());
            drop(wire);
        }

        private void drop(Wire wire) {
            if (wire.isClosed()) {
                return;
            }
            send(wire, manner().drop());
            if (unsent > 0) {
                crowd().loop().after(manner().pauseMillis(), () -> drop(wire));
            }
        }

        private static ByteBuffer spaces() {
            byte[] spaces = new byte[16 << 10];
            Arrays.fill(spaces, (byte) ' ');
            return ByteBuffer.allocateDirect(spaces.length).put(spaces).flip().asReadOnlyBuffer();
        }

        /**
         * Sends spaces, at most the given number. An application that parses JSON, XML or the parts of a form reads on after spaces, while
         * it would refuse most other bytes at once. All clients share one buffer, so the bodies of a {@link Crowd} need no memory.
         */
        private void send(Wire wire, int most) {
            for (int left = Math.min(most, unsent); left > 0; left -= SPACES.capacity()) {
                int length = Math.min(left, SPACES.capacity());
                wire.send(SPACES.duplicate().limit(length));
                unsent -= length;
            }
        }
    }

    /**
     * A slow client that sends a request, and then reads a few bytes after each pause. With TLS it reads the first record without pauses,
     * since a record can be decrypted only when it is complete. Thread: the thread of the {@code ClientLoop}.
     */
    static final class ReaderMember extends Member {
        /** The maximum size of the first record, plus a few bytes for messages of TLS before this record. */
        private static final int FIRST_RECORD = 20 << 10;

        private enum Pace {
            FIRST_RECORD,
            SLOW
        }

        private final ResponseReader response = new ResponseReader();
        private Pace pace = Pace.SLOW;

        ReaderMember(Crowd crowd, CrowdPlan.Group group) {
            super(crowd, group);
        }

        @Override
        public void onOpen(Wire wire) {
            wire.send(manner().target().get());
            pace = wire.isEncrypted() ? Pace.FIRST_RECORD : Pace.SLOW;
            wire.readAtMost(pace == Pace.SLOW ? manner().read() : FIRST_RECORD);
            stand();
            crowd().loop().after(manner().pauseMillis(), () -> readOn(wire));
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
            beAnswered();
            pace = Pace.SLOW;
            if (!response.read(bytes)) {
                return;
            }
            crowd().onAnswer(response.status());
            if (response.isPersistent() && response.status() < 400) {
                response.reset();
                stand();
                wire.send(manner().target().get());
            } else {
                leave(wire);
            }
        }

        private void readOn(Wire wire) {
            if (!wire.isClosed()) {
                if (pace == Pace.SLOW) {
                    wire.readAtMost(manner().read());
                }
                crowd().loop().after(manner().pauseMillis(), () -> readOn(wire));
            }
        }
    }
}
