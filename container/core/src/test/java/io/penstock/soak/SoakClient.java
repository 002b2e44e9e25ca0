package io.penstock.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One client of a soak test. The client uses one connection at a time. It sends several requests without waiting for the responses. A
 * client is either quick or slow. On some connections, the client disconnects after a random number of bytes.
 *
 * <p>Only the thread that calls {@link Crowd#run} uses a client. A client owns its channel.
 *
 * <pre>
 *   DISCONNECTED --connectTo--> CONNECTING --> CONNECTED --the client or the server closes--> DISCONNECTED
 * </pre>
 */
final class SoakClient {
    private static final int PIPELINE = 3;
    private static final int SMALL_RECEIVE_BUFFER = 64 * 1024;
    private static final int READ_AND_WRITE = SelectionKey.OP_READ | SelectionKey.OP_WRITE;

    private final long number;
    private final SplittableRandom random;
    private final SoakRequests errands;
    private final Tally tally;
    private final Pace pace;
    private final ByteBuffer out = ByteBuffer.allocate(4_096).limit(0);
    private final ArrayDeque<SoakRequest> unanswered = new ArrayDeque<>();
    private State state = State.DISCONNECTED;
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private Content.@Nullable Cursor sending;
    private ResponseParser reader = new ResponseParser(new ResponseChecker());
    private @Nullable ResponseCheck check;
    private boolean serverCloses;
    private boolean sessionRequested;
    private long bytesUntilAbort;
    private long pauseUntil;

    private enum State {
        DISCONNECTED,
        CONNECTING,
        CONNECTED
    }

    SoakClient(long number, long seed, Tally tally) {
        this.number = number;
        this.random = new SplittableRandom(seed + number);
        this.errands = new SoakRequests(random.split(), number);
        this.tally = tally;
        this.pace = Pace.drawn(random);
    }

    // ---- connections

    boolean isDisconnected() {
        return state == State.DISCONNECTED;
    }

    void connectTo(InetSocketAddress server, Selector selector) throws IOException {
        SocketChannel opened = SocketChannel.open();
        channel = opened;
        opened.configureBlocking(false);
        if (pace != Pace.QUICK) {
            opened.setOption(StandardSocketOptions.SO_RCVBUF, SMALL_RECEIVE_BUFFER);
        }
        opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
        bytesUntilAbort = random.nextInt(4) == 0 ? random.nextInt(400_000) : Long.MAX_VALUE;
        state = State.CONNECTING;
        boolean connected = opened.connect(server);
        key = opened.register(selector, connected ? READ_AND_WRITE : SelectionKey.OP_CONNECT, this);
        if (connected) {
            state = State.CONNECTED;
        }
    }

    /** Disconnects, usually by a reset. */
    void disconnect() throws IOException {
        SocketChannel left = channel;
        if (left != null) {
            // Most clients disconnect by a reset, so that the port of the client is free immediately. After a normal
            // close, the port would be blocked for a minute.
            if (random.nextInt(16) != 0) {
                left.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            left.close();
        }
        channel = null;
        key = null;
        state = State.DISCONNECTED;
        unanswered.clear();
        sending = null;
        out.limit(0);
        check = null;
        serverCloses = false;
        sessionRequested = false;
        reader = new ResponseParser(new ResponseChecker());
    }

    /** Returns whether the client has nothing to send and expects no response. */
    boolean isDone() {
        return state == State.DISCONNECTED || (state == State.CONNECTED && hasNothingToSend() && unanswered.isEmpty());
    }

    private boolean hasNothingToSend() {
        return sending == null && !out.hasRemaining();
    }

    // ---- input and output

    /** Reads and writes when the key is ready. If {@code stopping} is true, the client sends no new requests. */
    void onReady(ByteBuffer scratch, long now, boolean stopping) throws IOException {
        SelectionKey ready = key;
        if (ready == null || !ready.isValid()) {
            return;
        }
        try {
            if (ready.isConnectable() && channel != null && channel.finishConnect()) {
                state = State.CONNECTED;
            }
            if (state == State.CONNECTED && ready.isWritable()) {
                write(stopping);
            }
        } catch (IOException e) {
            if (state == State.CONNECTING) {
                throw new MixUp("client " + number + " could not connect", e);
            }
            out.limit(0); // the server no longer reads, but responses to earlier requests can still arrive
            sending = null;
        }
        if (state == State.CONNECTED && ready.isReadable()) {
            read(scratch);
        }
        if (state == State.CONNECTED) {
            if (bytesUntilAbort <= 0) {
                tally.aborted();
                disconnect();
                return;
            }
            pauseOrContinue(ready, now, stopping);
        }
    }

    /** Starts the pause of a slow client. A quick client continues to read. It also continues to write if it has bytes to send. */
    private void pauseOrContinue(SelectionKey ready, long now, boolean stopping) {
        if (pace.pauseNanos() > 0) {
            pauseUntil = now + pace.pauseNanos();
            ready.interestOps(0);
        } else {
            ready.interestOps(interest(stopping));
        }
    }

    /** Lets a slow client continue after its pause. The crowd calls this method every few milliseconds. */
    void wake(long now, boolean stopping) {
        SelectionKey asleep = key;
        if (state == State.CONNECTED && asleep != null && asleep.isValid() && now - pauseUntil >= 0) {
            asleep.interestOps(interest(stopping));
        }
    }

    private int interest(boolean stopping) {
        return hasNothingToSend() && !maySendRequest(stopping) ? SelectionKey.OP_READ : READ_AND_WRITE;
    }

    private boolean maySendRequest(boolean stopping) {
        return !stopping && !serverCloses && unanswered.size() < PIPELINE && !sessionRequested;
    }

    private void write(boolean stopping) throws IOException {
        for (int left = pace.next(random); left > 0; ) {
            if (hasNothingToSend() && !startRequest(stopping)) {
                return;
            }
            if (!out.hasRemaining()) {
                refill();
            }
            int end = out.limit();
            out.limit(out.position() + Math.min(out.remaining(), left));
            int wanted = out.remaining();
            int count = channel().write(out);
            out.limit(end);
            bytesUntilAbort -= count;
            left -= count;
            if (count < wanted || bytesUntilAbort <= 0) {
                return;
            }
        }
    }

    private SocketChannel channel() {
        if (channel == null) {
            throw new IllegalStateException("client " + number + " is not connected");
        }
        return channel;
    }

    private boolean startRequest(boolean stopping) {
        if (!maySendRequest(stopping)) {
            return false;
        }
        SoakRequest next = errands.next();
        sessionRequested = next.kind() == Kind.SESSION; // if true, no request follows until the response has arrived
        unanswered.addLast(next);
        sending = next.request().cursor();
        return true;
    }

    private void refill() {
        Content.Cursor from = sending;
        if (from == null) {
            return;
        }
        out.clear();
        from.fill(out);
        out.flip();
        if (from.isAtEnd()) {
            sending = null;
        }
    }

    private void read(ByteBuffer scratch) throws IOException {
        scratch.clear().limit(Math.min(scratch.capacity(), pace.next(random)));
        int count;
        try {
            count = channel().read(scratch);
        } catch (IOException e) {
            onEnd(e);
            return;
        }
        if (count < 0) {
            onEnd(null);
            return;
        }
        bytesUntilAbort -= count;
        try {
            reader.read(scratch.flip());
        } catch (MixUp e) {
            throw new MixUp(this + ": " + e.getMessage(), e);
        }
    }

    private void onEnd(@Nullable IOException cause) throws IOException {
        SoakRequest missing = unanswered.peekFirst();
        SoakRequest.Cut cut = reader.isInside() ? SoakRequest.Cut.WITHIN : SoakRequest.Cut.BEFORE;
        boolean cutOff = !serverCloses && missing != null && missing.mayBeCutOff(cut);
        if (!serverCloses && !cutOff) {
            String where = cut == SoakRequest.Cut.WITHIN ? "in the middle of" : "before";
            String what = missing == null ? "anything was asked" : "the answer to " + missing;
            throw new MixUp("client " + number + ": the connection ended " + where + " " + what, cause);
        }
        if (missing != null && cutOff) {
            tally.cutOff(missing);
        }
        disconnect();
    }

    /** Checks the received responses. */
    private final class ResponseChecker implements ResponseParser.Heard {
        @Override
        public void head(int status, List<String> fields) {
            SoakRequest asked = unanswered.peekFirst();
            if (asked == null) {
                throw new MixUp("an answer without a request: " + status + " " + fields);
            }
            ResponseCheck checked = new ResponseCheck(asked);
            check = checked;
            checked.head(status, fields);
            String cookie = ResponseParser.field(fields, "Set-Cookie");
            if (!cookie.isEmpty()) {
                errands.session(cookie.substring(0, (cookie + ";").indexOf(';')));
            }
        }

        @Override
        public void body(byte next) {
            checked().body(next);
        }

        @Override
        public void end() {
            ResponseCheck checked = checked();
            checked.end();
            serverCloses |= checked.closes();
            SoakRequest answered = unanswered.removeFirst();
            if (answered.kind() == Kind.SESSION) {
                sessionRequested = false;
            }
            tally.answered(answered.kind(), checked.status());
            check = null;
        }

        private ResponseCheck checked() {
            if (check == null) {
                throw new IllegalStateException("a body without a head");
            }
            return check;
        }
    }

    @Override
    public String toString() {
        return "client " + number + " with " + unanswered;
    }
}
