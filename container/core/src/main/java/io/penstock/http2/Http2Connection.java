package io.penstock.http2;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Admission;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.DispatchRule;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.ForwardedRequests;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.RequestReport;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Shutdown;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http.BodyFraming;
import io.penstock.http.DecidingFields;
import io.penstock.http.FieldList;
import io.penstock.http.FieldSection;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Violation;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.memory.HeapSize;
import io.penstock.pipe.Segment;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one HTTP/2 connection (RFC 9113): it reads the frames, keeps the streams, and sends the frames that belong to no
 * stream. The responses go through its {@link Http2Output}.
 *
 * <p>Thread: the reactor, if a method does not name another thread. If the link fails, the link is closed. The workers of its streams then
 * get the failure from the pipes.
 */
final class Http2Connection implements Conversation {
    /** The signal that streams ask for attention ({@link #list}). */
    static final int ATTENTION = 4;

    /** The window of the connection. It bounds no memory, since each stream has its own, and credit is given back at once. */
    private static final int CONNECTION_WINDOW = 1 << 20;

    /** With more control frames than this waiting for the client to read, the client is not read either. */
    private static final int MAX_CONTROL = 16 << 10;

    /**
     * The patience with frames that cost only the server. Each such frame takes from it ({@link #glitch}); time and answered requests give
     * back. When it is used up, the connection is not read for {@link #PAUSE}, so that an honest client is only delayed.
     */
    private static final int PATIENCE = 4_000;

    private static final int PATIENCE_PER_MILLI = 1;
    private static final int OF_RESET = 10;
    private static final int OF_ANSWER = 5;
    private static final int SMALL_INCREMENT = 64;
    /** How often a response is checked within the time that its client may take no byte. */
    static final int STALL_CHECKS = 4;

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** The longest time for which a worker may leave a response to be sent behind the next one ({@link Http2Output#leave}). */
    private static final Duration MAX_LEFT = Duration.ofMillis(20);

    private static final int MAX_READS = 4;
    private static final int TABLE = 64; // a power of two

    /** The most frames of a head, after which its client can only want to keep the server busy (CVE-2023-45288). */
    private static final int MAX_CONTINUATIONS = 8;

    /** What a client sends first (RFC 9113 section 3.4). */
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final AtomicReferenceFieldUpdater<Http2Connection, @Nullable Http2Stream> ASKING =
            AtomicReferenceFieldUpdater.newUpdater(Http2Connection.class, Http2Stream.class, "asking");

    private final Http2Parts parts;
    private final Link link;
    private final long number;
    private final long opened;
    private final Http2Output output;
    private final FrameReader reader = new FrameReader();
    private final HpackDecoder hpack = new HpackDecoder(Http2Parts.TABLE_SIZE);
    private final Deadline deadline;
    private final Deadline stalled;
    private final Deadline pause;

    // The streams, by their numbers.
    private final @Nullable Http2Stream[] table = new @Nullable Http2Stream[TABLE];
    private int streams;

    // The streams that ask for attention, as a list. Any thread may add one.
    private volatile @Nullable Http2Stream asking;

    private int prefaceLeft = PREFACE.length;
    private boolean settingsArrived;
    private boolean isKnown; // whether the client has acknowledged the server's SETTINGS
    private int lastStream;
    private long opened64; // which of the last 64 numbers of streams have been used; bit 0 is the last one
    private long cut64; // those of them that the server has reset before their client had ended them
    private int sendWindow = Frame.FIRST_WINDOW; // of new streams
    private int connectionCredit; // received, and not given back yet

    // The head that arrives in several frames.
    private int headStream; // 0: none
    private byte @Nullable [] headBlock;
    private boolean headEnds;
    private int continuations;
    private int headHeld;

    // Set while several streams are open: a worker may leave a response to be sent behind the next one.
    private @Nullable Deadline leaving;

    // Reservations in the budget of heads: of an incomplete head, of an incomplete payload, and of the dynamic table.
    private int headReserved;
    private int payloadReserved;
    private int octetsReserved;
    private int entriesReserved;

    // The DATA frame that arrives.
    private @Nullable Http2Stream dataStream;

    private int patience = PATIENCE;
    private long patienceAt;
    private boolean paused;
    private boolean framing; // frames are being read

    // Whether bytes wait until the link is writable, and how many it had taken when this wait began.
    private boolean waitsForWritable;
    private long progressAtWait;

    private @Nullable Segment unread;
    private boolean inputEnded;
    private boolean goingAway;
    private int lastServed = Frame.MAX_STREAM_ID; // as the last GOAWAY has said
    private @Nullable ConnectionClosed closing;
    private long progressAtSweep;
    private boolean lingering; // whether the output has ended

    // Read by workers.
    private volatile boolean finishing;

    Http2Connection(Http2Parts parts, Link link, AcceptedConnection accepted) {
        this.parts = parts;
        this.link = link;
        this.number = accepted.number();
        this.opened = accepted.nanos();
        this.output = new Http2Output(
                link, LinkWriter.Files.where(parts.server().config().service().call()));
        this.deadline = new Deadline(link) {
            @Override
            protected void passed() throws IOException {
                timePassed();
            }
        };
        this.stalled = new Deadline(link) {
            @Override
            protected void passed() {
                server().reached(Key.WRITE_STALL_TIMEOUT);
                server().events().timedOut(id(), Key.WRITE_STALL_TIMEOUT.id());
                link.close(new ConnectionClosed(CloseCause.WRITE_STALL_TIMEOUT));
            }
        };
        this.pause = new Deadline(link) {
            @Override
            protected void passed() throws IOException {
                pauseOver();
            }
        };
        this.patienceAt = opened;
        if (server().shutdown().isFinishing()) {
            deadline.in(Shutdown.FIRST_REQUEST); // the server may have begun to stop during the TLS handshake
        } else {
            deadline.in(timeouts().head());
        }
        output.control(Frame.settings(
                Frame.MAX_CONCURRENT_STREAMS, server().config().http2().maxStreams(),
                Frame.INITIAL_WINDOW_SIZE, receiveWindow(),
                Frame.MAX_HEADER_LIST_SIZE, server().config().messages().headerBytes(),
                Frame.NO_RFC7540_PRIORITIES, 1));
        output.control(Frame.windowUpdate(0, CONNECTION_WINDOW - Frame.FIRST_WINDOW));
        if (server().shutdown().closesConnections()) {
            goingAway = true;
            output.control(Frame.goAway(Frame.MAX_STREAM_ID, ErrorCode.NO_ERROR));
        }
        link.signal(Http2Output.STALLED); // sends these frames when the link knows its handler
    }

    // ---- events of the link

    @Override
    public void onReadable() throws IOException {
        if (lingering) {
            dropInput();
            return;
        }
        attend();
        for (int left = MAX_READS; left > 0 && readOnce(); left--) {
            // The last read has filled the buffer.
        }
        flush();
    }

    /** Returns whether the socket may hold more bytes. */
    private boolean readOnce() throws IOException {
        if (isPaused() || !link.isOpen()) {
            return false;
        }
        ByteBuffer buffer = link.reactor().readBuffer();
        buffer.limit(Math.min(buffer.limit(), server().pool().segmentSize()));
        int count;
        try {
            count = link.read(buffer);
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
        }
        if (count < 0) {
            endOfInput();
            return false;
        }
        boolean full = !buffer.hasRemaining();
        frame(buffer.flip());
        keep(buffer);
        return full;
    }

    private void endOfInput() throws IOException {
        inputEnded = true;
        link.wantReadable(false);
        if (unread == null) {
            // Nobody could open a stream any more, or enlarge a window.
            link.close(new ConnectionClosed(streams == 0 ? CloseCause.CLIENT_CLOSED : CloseCause.CLIENT_LEFT));
        }
    }

    private boolean isPaused() {
        return unread != null || paused || closing != null || output.controlBytes() > MAX_CONTROL;
    }

    /** Whether the connection is read now. Otherwise a client that seems to be slow need not be so. */
    boolean isReading() {
        return !isPaused();
    }

    private void frame(ByteBuffer in) throws IOException {
        framing = true;
        try {
            while (prefaceLeft > 0 && in.hasRemaining()) {
                if (in.get() != PREFACE[PREFACE.length - prefaceLeft]) {
                    throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "no preface of HTTP/2");
                }
                prefaceLeft--;
            }
            if (prefaceLeft == 0 && closing == null) {
                reader.read(in, parts.scratch(), this);
            }
        } catch (ConnectionError error) {
            in.position(in.limit());
            fail(error);
        } finally {
            framing = false;
        }
        if (closing != null) {
            in.position(in.limit());
        }
    }

    /** The client has sent a frame that costs only the server. */
    private void glitch(int cost) {
        long now = link.reactor().now();
        long earned = (now - patienceAt) / 1_000_000 * PATIENCE_PER_MILLI;
        if (earned > 0) {
            patience = (int) Math.min(PATIENCE, patience + earned);
            patienceAt = now;
        }
        patience -= cost;
        if (patience < 0 && !paused) {
            paused = true;
            server().count(Counter.FLOOD_PAUSES);
            link.wantReadable(false);
            pause.in(PAUSE);
        }
    }

    private void leftLongEnough() throws IOException {
        if (streams > 1) {
            Objects.requireNonNull(leaving).in(MAX_LEFT);
        } else {
            leaving = null;
        }
        output.endLeaving();
        flush();
    }

    private void pauseOver() throws IOException {
        paused = false;
        resumeReading();
    }

    /** Keeps the bytes that a stream does not take now. The socket is not read until they have been taken. */
    private void keep(ByteBuffer buffer) throws IOException {
        if (!buffer.hasRemaining() || !link.isOpen()) {
            return;
        }
        Segment kept = server().pool().tryAcquireReserved();
        if (kept == null) {
            server().reached(Key.PIPE_BUDGET);
            closeWith(
                    ErrorCode.ENHANCE_YOUR_CALM, new ConnectionClosed(CloseCause.MEMORY_BUDGET, Key.PIPE_BUDGET.id()));
            return;
        }
        kept.buffer().put(buffer).flip();
        unread = kept;
        link.wantReadable(false);
    }

    /** Frames the kept bytes, and reads again. */
    void resumeReading() throws IOException {
        if (framing) {
            return; // a stream asks for attention within a frame; the reading goes on behind this frame
        }
        Segment kept = unread;
        if (kept != null && link.isOpen()) {
            try {
                frame(kept.buffer());
            } finally {
                if (!kept.buffer().hasRemaining() || !link.isOpen()) {
                    kept.release();
                    unread = null;
                }
            }
            if (unread != null) {
                return;
            }
            if (inputEnded) {
                endOfInput();
            }
        }
        if (link.isOpen()) {
            link.wantReadable(!inputEnded && !isPaused());
            flush();
        }
    }

    @Override
    public void onWritable() throws IOException {
        flush();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        if ((bits & Http2Output.FAILED) != 0) {
            link.close(new ConnectionClosed(CloseCause.CLIENT_RESET));
            return;
        }
        attend();
        if (unread != null) {
            resumeReading(); // the stream that took no bytes may have been reset
        }
        flush();
    }

    /** Sends what can be sent. */
    void flush() throws IOException {
        if (!link.isOpen()) {
            return;
        }
        if (lingering) {
            endOutput(Objects.requireNonNull(closing));
            return;
        }
        boolean all;
        try {
            all = output.flushAsReactor();
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
        }
        link.wantWritable(!all);
        long progress = output.progress();
        if (all) {
            stalled.off();
            waitsForWritable = false;
        } else if (!waitsForWritable || progress != progressAtWait) {
            // Only bytes that the client takes count, whatever it sends.
            stalled.in(timeouts().writeStall());
            waitsForWritable = true;
            progressAtWait = progress;
        }
        if (all && closing != null) {
            endOutput(closing);
        } else if (unread == null) {
            link.wantReadable(!inputEnded && !isPaused());
        }
    }

    /**
     * Ends the output, and then reads and drops the client's bytes for the linger time: if the server closed the socket while received bytes
     * are unread, the operating system would send a reset, which can destroy a response that is on its way.
     */
    private void endOutput(ConnectionClosed cause) throws IOException {
        if (!lingering) {
            if (!output.endByReactor()) {
                return;
            }
            lingering = true;
            deadline.in(timeouts().linger());
        }
        link.shutdownOutput();
        if (!link.isFlushed() && !link.flush()) {
            link.wantWritable(true);
            return;
        }
        link.wantWritable(false);
        Shutdown shutdown = server().shutdown();
        if (!inputEnded && (!shutdown.isFinishing() || shutdown.isCutting())) {
            link.wantReadable(true);
        } else {
            link.close(cause);
        }
    }

    private void dropInput() throws IOException {
        ByteBuffer buffer = link.reactor().readBuffer();
        int count;
        try {
            count = link.read(buffer);
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
        }
        if (count < 0) {
            link.close(Objects.requireNonNull(closing));
        }
    }

    @Override
    public void onClosed(ConnectionClosed cause) {
        deadline.remove();
        stalled.remove();
        pause.remove();
        if (leaving != null) {
            leaving.remove();
        }
        output.onClosed();
        releaseHead();
        releasePayload();
        server().headBudget().giveBack(octetsReserved);
        server().headBudget().giveBack(entriesReserved);
        ConnectionClosed why = closing == null ? cause : closing;
        if (unread != null && !framing) { // otherwise the bytes are still in use
            unread.release();
            unread = null;
        }
        for (Http2Stream stream : streams()) {
            stream.onReset(why);
        }
        server().events().closed(id(), why.reason(), why.detail());
    }

    // ---- streams that ask for attention

    /** Adds a stream to those that ask for attention. Any thread. */
    void list(Http2Stream stream) {
        Http2Stream first;
        do {
            first = asking;
            stream.nextAsking = first;
        } while (!ASKING.compareAndSet(this, first, stream));
    }

    private void attend() throws IOException {
        Http2Stream next = asking == null ? null : ASKING.getAndSet(this, null);
        while (next != null) {
            Http2Stream stream = next;
            next = stream.nextAsking;
            stream.nextAsking = null;
            stream.attend();
        }
    }

    void forgetIfOver(Http2Stream stream) throws IOException {
        if (!stream.isOver() || find(stream.number()) != stream) {
            return;
        }
        int at = index(stream.number());
        Http2Stream before = null;
        Http2Stream one = table[at];
        while (one != null && one != stream) {
            before = one;
            one = one.nextInTable;
        }
        if (before == null) {
            table[at] = stream.nextInTable;
        } else {
            before.nextInTable = stream.nextInTable;
        }
        stream.nextInTable = null;
        streams--;
        if (!stream.isReset()) {
            patience = Math.min(PATIENCE, patience + OF_ANSWER);
        }
        if (streams == 0) {
            output.queued(null);
        }
        if (streams == 0 && closing == null) {
            deadline.in(timeouts().keepAlive());
            if (server().shutdown().isFinishing()) {
                closeWith(ErrorCode.NO_ERROR, new ConnectionClosed(CloseCause.SERVER_STOPPING));
            }
        }
    }

    private static int index(int stream) {
        return stream >>> 1 & TABLE - 1;
    }

    private @Nullable Http2Stream find(int stream) {
        Http2Stream one = table[index(stream)];
        while (one != null && one.number() != stream) {
            one = one.nextInTable;
        }
        return one;
    }

    private List<Http2Stream> streams() {
        List<Http2Stream> all = new ArrayList<>(streams);
        for (Http2Stream first : table) {
            for (Http2Stream one = first; one != null; one = one.nextInTable) {
                all.add(one);
            }
        }
        return all;
    }

    // ---- frames

    /** Whether this stream takes octets of DATA now. If not, the reader stops before them. */
    boolean takesData() {
        Http2Stream stream = dataStream;
        return stream == null || stream.takesData();
    }

    /**
     * A DATA frame begins.
     *
     * @param length the length of its payload, with the padding, which counts for the windows
     */
    void data(int stream, int length) throws ConnectionError, IOException {
        checkBetweenHeads();
        if (stream == 0 || (stream & 1) == 0 || stream > lastStream) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "DATA of no stream");
        }
        connectionCredit += length;
        if (connectionCredit > CONNECTION_WINDOW) {
            throw new ConnectionError(ErrorCode.FLOW_CONTROL_ERROR, "more bytes than the window of the connection");
        }
        if (connectionCredit >= CONNECTION_WINDOW / 2) {
            output.control(Frame.windowUpdate(0, connectionCredit));
            connectionCredit = 0;
        }
        Http2Stream to = find(stream);
        dataStream = to;
        if (length == 0) {
            glitch(1);
        }
        if (to == null) {
            closedStream(stream);
        } else if (!to.isReset()) {
            if (to.hasEndedInput()) {
                reset(to, ErrorCode.STREAM_CLOSED, "DATA behind the end of the stream");
            } else if (!to.permits(length)) {
                reset(to, ErrorCode.FLOW_CONTROL_ERROR, "more bytes than the window of the stream");
            }
        }
    }

    /** A frame of a stream that is over. What was on its way when the stream ended is ignored. */
    private void closedStream(int stream) {
        glitch(1);
        output.control(Frame.reset(stream, ErrorCode.STREAM_CLOSED));
    }

    /** Octets of the DATA frame, without its padding. Takes as many of them as it can. */
    void dataOctets(ByteBuffer octets) throws IOException {
        Http2Stream to = dataStream;
        if (to == null || to.isReset()) {
            octets.position(octets.limit());
            return;
        }
        try {
            if (!to.data(octets)) {
                octets.position(octets.limit());
                reset(to, ErrorCode.PROTOCOL_ERROR, "a body that is longer than its Content-Length");
            }
        } catch (Violation violation) {
            octets.position(octets.limit());
            to.refuse(violation);
        }
    }

    /** The DATA frame is complete. */
    void dataEnd(boolean endStream) throws IOException {
        Http2Stream to = dataStream;
        dataStream = null;
        if (to != null) {
            to.endFrame();
        }
        if (to == null || to.isReset()) {
            return;
        }
        try {
            if (endStream) {
                endInput(to, Fields.EMPTY);
            } else {
                to.credit();
            }
        } catch (Violation violation) {
            to.refuse(violation);
        }
    }

    private void endInput(Http2Stream stream, Fields trailers) throws IOException, Violation {
        if (!stream.endInput(trailers)) {
            reset(stream, ErrorCode.PROTOCOL_ERROR, "a body that is shorter than its Content-Length");
            return;
        }
        forgetIfOver(stream);
    }

    /** Another frame. Its payload lies between {@code start} and {@code end}, and is valid during the call. */
    void frame(int type, int flags, int stream, byte[] payload, int start, int end)
            throws ConnectionError, IOException {
        int length = end - start;
        if (!settingsArrived && type != Frame.SETTINGS) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "no SETTINGS behind the preface");
        }
        if (headStream != 0 && type != Frame.CONTINUATION) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "another frame within a head");
        }
        switch (type) {
            case Frame.HEADERS -> headers(flags, stream, payload, start, end);
            case Frame.CONTINUATION -> continuation(flags, stream, payload, start, end);
            case Frame.PRIORITY -> priority(stream, payload, start, length);
            case Frame.RST_STREAM -> rstStream(stream, length);
            case Frame.SETTINGS -> settings(flags, stream, payload, start, end);
            case Frame.PUSH_PROMISE -> throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE of a client");
            case Frame.PING -> ping(flags, stream, payload, start, length);
            case Frame.GOAWAY -> goAway(stream, length);
            case Frame.WINDOW_UPDATE -> windowUpdate(stream, payload, start, length);
            case Frame.PRIORITY_UPDATE -> priorityUpdate(stream, payload, start, end);
            default -> {
                // RFC 9113 section 5.5: frames of an unknown type are ignored.
            }
        }
    }

    private void checkBetweenHeads() throws ConnectionError {
        if (headStream != 0) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "another frame within a head");
        }
        if (!settingsArrived) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "no SETTINGS behind the preface");
        }
    }

    private static void require(boolean valid, ErrorCode code, String otherwise) throws ConnectionError {
        if (!valid) {
            throw new ConnectionError(code, otherwise);
        }
    }

    private static int number(byte[] payload, int at) {
        return (payload[at] & 0xFF) << 24
                | (payload[at + 1] & 0xFF) << 16
                | (payload[at + 2] & 0xFF) << 8
                | payload[at + 3] & 0xFF;
    }

    private void priority(int stream, byte[] payload, int start, int length) throws ConnectionError, IOException {
        require(stream != 0, ErrorCode.PROTOCOL_ERROR, "PRIORITY of the connection");
        glitch(1);
        Http2Stream of = find(stream);
        if (length != 5) {
            if (of != null) {
                reset(of, ErrorCode.FRAME_SIZE_ERROR, "PRIORITY with another length than 5");
            } else {
                output.control(Frame.reset(stream, ErrorCode.FRAME_SIZE_ERROR));
            }
        } else {
            require(
                    (number(payload, start) & Integer.MAX_VALUE) != stream,
                    ErrorCode.PROTOCOL_ERROR,
                    "stream that depends on itself");
        }
    }

    /** RFC 9218 section 7.1. Priorities of streams that are not open are ignored. */
    private void priorityUpdate(int stream, byte[] payload, int start, int end) throws ConnectionError {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "PRIORITY_UPDATE of a stream");
        require(end - start >= 4, ErrorCode.FRAME_SIZE_ERROR, "PRIORITY_UPDATE that is too short");
        glitch(1);
        Http2Stream of = find(number(payload, start) & Integer.MAX_VALUE);
        if (of != null) {
            of.output()
                    .urgency(Urgency.of(new String(payload, start + 4, end - start - 4, StandardCharsets.ISO_8859_1)));
        }
    }

    private void rstStream(int stream, int length) throws ConnectionError, IOException {
        require(length == 4, ErrorCode.FRAME_SIZE_ERROR, "RST_STREAM with another length than 4");
        require(stream != 0 && stream <= lastStream, ErrorCode.PROTOCOL_ERROR, "RST_STREAM of no stream");
        Http2Stream of = find(stream);
        glitch(OF_RESET);
        if (of != null && !of.isReset()) {
            server().count(Counter.STREAMS_RESET);
            of.onReset(Http2Stream.resetBy("the client has reset the stream"));
            forgetIfOver(of);
        }
    }

    private void settings(int flags, int stream, byte[] payload, int start, int end)
            throws ConnectionError, IOException {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "SETTINGS of a stream");
        if ((flags & Frame.ACK) != 0) {
            require(start == end, ErrorCode.FRAME_SIZE_ERROR, "acknowledged SETTINGS with parameters");
            settingsKnown();
            return;
        }
        require((end - start) % 6 == 0, ErrorCode.FRAME_SIZE_ERROR, "SETTINGS with a part of a parameter");
        settingsArrived = true;
        glitch(1 + (end - start) / 6); // each can concern all streams
        for (int at = start; at < end; at += 6) {
            int name = (payload[at] & 0xFF) << 8 | payload[at + 1] & 0xFF;
            setting(name, number(payload, at + 2) & 0xFFFFFFFFL);
        }
        output.control(Frame.settingsAck());
    }

    /** The client obeys the server's SETTINGS from now on. */
    private void settingsKnown() throws IOException {
        if (!isKnown) {
            isKnown = true;
            int less = Frame.FIRST_WINDOW - receiveWindow();
            if (less > 0) {
                for (Http2Stream open : streams()) {
                    open.shrinkWindow(less);
                }
            }
        }
    }

    private void setting(int name, long value) throws ConnectionError, IOException {
        switch (name) {
            case Frame.HEADER_TABLE_SIZE -> {
                if (value < Http2Parts.TABLE_SIZE) {
                    output.shrinkTable();
                }
            }
            case Frame.ENABLE_PUSH ->
                require(value <= 1, ErrorCode.PROTOCOL_ERROR, "ENABLE_PUSH that is neither 0 nor 1");
            case Frame.INITIAL_WINDOW_SIZE -> {
                require(value <= Frame.MAX_WINDOW, ErrorCode.FLOW_CONTROL_ERROR, "initial window that is too large");
                int difference = (int) value - sendWindow;
                sendWindow = (int) value;
                for (Http2Stream open : streams()) {
                    require(
                            output.enlarge(open.output(), difference),
                            ErrorCode.FLOW_CONTROL_ERROR,
                            "window that is too large");
                }
            }
            case Frame.MAX_FRAME_SIZE ->
                require(
                        value >= Frame.MAX_PAYLOAD && value < 1 << 24,
                        ErrorCode.PROTOCOL_ERROR,
                        "maximum size of frames out of range");
            case Frame.NO_RFC7540_PRIORITIES ->
                require(value <= 1, ErrorCode.PROTOCOL_ERROR, "NO_RFC7540_PRIORITIES out of range");
            default -> {
                // This server's blocks use no dynamic table, and the size of its heads does not depend on the client.
            }
        }
    }

    private void ping(int flags, int stream, byte[] payload, int start, int length) throws ConnectionError {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "PING of a stream");
        require(length == 8, ErrorCode.FRAME_SIZE_ERROR, "PING with another length than 8");
        if ((flags & Frame.ACK) == 0) {
            glitch(1);
            output.control(Frame.ping(ByteBuffer.wrap(payload, start, 8).getLong(), Frame.ACK));
        }
    }

    private void goAway(int stream, int length) throws ConnectionError {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "GOAWAY of a stream");
        require(length >= 8, ErrorCode.FRAME_SIZE_ERROR, "GOAWAY that is too short");
        // The client opens no further stream. It closes the connection after its last response.
    }

    private void windowUpdate(int stream, byte[] payload, int start, int length) throws ConnectionError, IOException {
        require(length == 4, ErrorCode.FRAME_SIZE_ERROR, "WINDOW_UPDATE with another length than 4");
        int increment = number(payload, start) & Integer.MAX_VALUE;
        if (increment < SMALL_INCREMENT) {
            glitch(1);
        }
        if (stream == 0) {
            require(increment > 0, ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
            require(
                    output.enlarge(increment),
                    ErrorCode.FLOW_CONTROL_ERROR,
                    "window of the connection that is too large");
            return;
        }
        require(stream <= lastStream, ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of no stream");
        Http2Stream of = find(stream);
        if (of == null || of.isReset()) {
            return;
        }
        if (increment == 0) {
            reset(of, ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
        } else if (!output.enlarge(of.output(), increment)) {
            reset(of, ErrorCode.FLOW_CONTROL_ERROR, "window of the stream that is too large");
        }
    }

    // ---- heads

    private void headers(int flags, int stream, byte[] payload, int start, int end)
            throws ConnectionError, IOException {
        require((stream & 1) == 1, ErrorCode.PROTOCOL_ERROR, "HEADERS of no stream of a client");
        Http2Stream known = find(stream);
        if (known != null) {
            // The worker of an answered stream may still be at the end of its call.
            require(
                    !known.hasEndedInput() || known.isReset() || !known.output().isAnswered(),
                    ErrorCode.STREAM_CLOSED,
                    "HEADERS of a stream that is over");
        } else if (stream <= lastStream) {
            require(
                    wasCut(stream),
                    isIn(opened64, stream) ? ErrorCode.STREAM_CLOSED : ErrorCode.PROTOCOL_ERROR,
                    "HEADERS of a stream that is over");
        }
        headEnds = (flags & Frame.END_STREAM) != 0;
        if ((flags & Frame.END_HEADERS) != 0) {
            head(stream, payload, start, end);
            return;
        }
        headStream = stream;
        continuations = 0;
        addToHead(payload, start, end);
    }

    private boolean isIn(long last64, int stream) {
        return lastStream - stream < 128 && (last64 >>> (lastStream - stream) / 2 & 1) != 0;
    }

    /** Whether the server has reset the stream, so that frames of its client may have been on their way (RFC 9113 section 5.1). */
    private boolean wasCut(int stream) {
        return isIn(cut64, stream);
    }

    private void continuation(int flags, int stream, byte[] payload, int start, int end)
            throws ConnectionError, IOException {
        require(headStream != 0 && stream == headStream, ErrorCode.PROTOCOL_ERROR, "CONTINUATION of no head");
        require(++continuations <= MAX_CONTINUATIONS, ErrorCode.ENHANCE_YOUR_CALM, "head in too many frames");
        addToHead(payload, start, end);
        if ((flags & Frame.END_HEADERS) != 0) {
            byte[] block = headBlock == null ? new byte[0] : headBlock;
            headStream = 0;
            headBlock = null;
            try {
                head(stream, block, 0, block.length);
            } finally {
                releaseHead();
            }
        }
    }

    /** Keeps a part of a head. At most four times the limit of heads is kept, so that a head that is somewhat too large gets an answer. */
    private void addToHead(byte[] payload, int start, int end) throws ConnectionError {
        byte[] block = FrameReader.copy(headBlock, payload, start, end);
        require(
                block.length <= 4L * server().config().messages().headerBytes(),
                ErrorCode.ENHANCE_YOUR_CALM,
                "head that is much too large");
        headReserved = hold(headReserved, block.length);
        headBlock = block;
        deadline.in(timeouts().head());
    }

    /** Reserves memory of the budget of heads for something that the client makes the server hold. */
    private int hold(int former, int bytes) throws ConnectionError {
        try {
            return server().headBudget().reserve(former, bytes, false);
        } catch (Violation full) {
            server().reached(Key.HEAD_BUDGET);
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, Key.HEAD_BUDGET.id());
        }
    }

    /** The payload of a frame arrives in pieces. */
    void holdPayload(int bytes) throws ConnectionError {
        payloadReserved = hold(payloadReserved, HeapSize.array(bytes));
    }

    void releasePayload() {
        server().headBudget().giveBack(payloadReserved);
        payloadReserved = 0;
    }

    private void releaseHead() {
        if (headReserved != 0) {
            server().headBudget().giveBack(headReserved);
            headReserved = 0;
        }
    }

    /** A whole head or trailer section. */
    private void head(int stream, byte[] block, int start, int end) throws ConnectionError, IOException {
        Http2Stream known = find(stream);
        FieldSection fields = parts.fields();
        fields.begin(known != null || stream <= lastStream);
        hpack.decode(block, start, end, fields);
        octetsReserved = hold(octetsReserved, hpack.heldByOctets());
        entriesReserved = hold(entriesReserved, hpack.heldByEntries());
        if (known != null) {
            trailers(known, fields);
            return;
        }
        if (stream <= lastStream) {
            glitch(1); // trailers that were on their way when the server has reset their stream
            return;
        }
        int skipped = (stream - lastStream) / 2;
        opened64 = (skipped >= 64 ? 0 : opened64 << skipped) | 1;
        cut64 = skipped >= 64 ? 0 : cut64 << skipped;
        lastStream = stream;
        attend();
        if (isFull()) {
            server().reached(Key.MAX_STREAMS);
            dismiss(stream, ErrorCode.REFUSED_STREAM);
            return;
        }
        if (finishing) {
            dismiss(stream, ErrorCode.REFUSED_STREAM);
            return;
        }
        String malformed = fields.malformed();
        if (malformed != null) {
            dismiss(stream, ErrorCode.PROTOCOL_ERROR);
            return;
        }
        begin(stream, fields);
    }

    /** Resets a stream that does not begin. */
    private void dismiss(int stream, ErrorCode code) {
        glitch(OF_RESET);
        output.control(Frame.reset(stream, code));
        if (!headEnds) {
            cut64 |= 1;
        }
    }

    /**
     * Whether the client has as many streams as it may have. Streams that are answered do not count, although a worker may still be at the end
     * of its call: their client may have got the end already.
     */
    private boolean isFull() {
        int most = server().config().http2().maxStreams();
        if (streams < most) {
            return false;
        }
        int open = 0;
        for (Http2Stream stream : streams()) {
            open += stream.output().isAnswered() && stream.hasEndedInput() ? 0 : 1;
        }
        return open >= most;
    }

    private void trailers(Http2Stream stream, FieldSection fields) throws IOException {
        if (stream.isReset()) {
            return;
        }
        if (stream.hasEndedInput()) {
            reset(stream, ErrorCode.STREAM_CLOSED, "HEADERS behind the end of the stream");
        } else if (!headEnds || fields.malformed() != null) {
            reset(stream, ErrorCode.PROTOCOL_ERROR, "malformed trailers");
        } else {
            try {
                Fields arrived = fields.trailers();
                Http2Exchange running = stream.exchange();
                if (running != null && running.incoming() != null) {
                    running.holdTrailers(fields.heldByTrailers());
                }
                endInput(stream, arrived);
            } catch (Violation violation) {
                stream.refuse(violation);
            }
        }
    }

    private void begin(int number, FieldSection fields) throws IOException {
        if (streams == 0) {
            deadline.in(sweep());
        } else if (leaving == null) {
            leaving = new Deadline(link) {
                @Override
                protected void passed() throws IOException {
                    leftLongEnough();
                }
            };
            leaving.in(MAX_LEFT);
        }
        Http2Stream stream = new Http2Stream(this, number, isKnown ? receiveWindow() : Frame.FIRST_WINDOW, sendWindow);
        int at = index(number);
        stream.nextInTable = table[at];
        table[at] = stream;
        streams++;
        RequestHead head = null;
        headHeld = 0;
        RequestObserver observer = RequestObserver.NONE;
        try {
            head = fields.request();
            stream.output().urgency(Urgency.of(head.fields().first("priority")));
            headHeld = server().headBudget().reserve(0, Http2Parts.OF_REQUEST + fields.held(head), streams > 1);
            ForwardedRequests proxies = parts.rules().proxies();
            ForwardedRequests.Forwarded forwarded = proxies == null ? null : proxies.read(head, peer());
            observer = observe(stream, head, forwarded == null ? null : forwarded.client());
            admit(stream, head, forwarded, observer);
        } catch (Violation violation) {
            refuse(stream, head, violation, observer);
        } finally {
            if (headHeld != 0) {
                server().headBudget().giveBack(headHeld);
                headHeld = 0;
            }
        }
    }

    private RequestObserver observe(Http2Stream stream, @Nullable RequestHead head, @Nullable Peer client) {
        return server().followsNow()
                ? RequestReport.begin(
                        stream, stream.number(), head, client, link.reactor().now())
                : RequestObserver.NONE;
    }

    private void refuse(Http2Stream stream, @Nullable RequestHead head, Violation violation, RequestObserver known)
            throws IOException {
        Key limit = violation.limit();
        if (limit != null) {
            server().reached(limit);
        }
        String reason = String.valueOf(violation.getMessage());
        server().events().refused(id(), violation.status(), reason);
        RequestObserver observer = known == RequestObserver.NONE ? observe(stream, head, null) : known;
        endOfHead(stream);
        stream.answer(new CannedResponse(violation.status(), Fields.EMPTY, head).observedBy(observer, reason));
    }

    private void endOfHead(Http2Stream stream) throws IOException {
        if (headEnds) {
            try {
                stream.endInput(Fields.EMPTY);
            } catch (Violation never) {
                throw new IllegalStateException("a stream without a body has been refused", never);
            }
        }
    }

    private void admit(
            Http2Stream stream,
            RequestHead sent,
            ForwardedRequests.@Nullable Forwarded forwarded,
            RequestObserver observer)
            throws IOException, Violation {
        RequestHead head = forwarded == null ? sent : forwarded.head();
        if (head.target().form() == RequestTarget.Form.AUTHORITY) {
            throw new Violation(501, "CONNECT is for proxies");
        }
        BodyFraming framing = BodyFraming.of(head);
        boolean declares = head.deciding().has(DecidingFields.Name.CONTENT_LENGTH);
        if (headEnds && framing.length() > 0) {
            reset(stream, ErrorCode.PROTOCOL_ERROR, "a body that is shorter than its Content-Length");
            return;
        }
        boolean waits = !headEnds && head.deciding().has(DecidingFields.Name.EXPECT) && Expectation.isContinue(head);
        Admission.Verdict verdict = parts.rules().decide(stream, sent, forwarded, headEnds ? 0 : framing.length());
        if (verdict instanceof Admission.Canned canned) {
            if (canned.isRefusal()) {
                server().events().refused(id(), canned.status(), canned.reason());
            }
            endOfHead(stream);
            CannedResponse answer = new CannedResponse(canned, head).observedBy(observer, canned.reason());
            stream.answer(answer);
            return;
        }
        Admission.Admitted admitted = (Admission.Admitted) verdict;
        int made = Http2Parts.OF_REQUEST + admitted.held() + (forwarded == null ? 0 : forwarded.held());
        headHeld = server().headBudget()
                .reserve(headHeld, Math.abs(headHeld) + made + (headEnds ? 0 : Http2Parts.OF_BODY), streams > 1);
        Peer client = forwarded == null ? null : forwarded.client();
        if (headEnds) {
            Http2Exchange whole =
                    new Http2Exchange(stream, parts.heads(), head, client, admitted, null, headHeld, observer);
            headHeld = 0;
            stream.begin(whole);
            return;
        }
        boolean streaming = DispatchRule.dispatches(admitted.mode(), Arrived.HEAD_ONLY);
        Expectation expectation =
                waits ? new Expectation(streaming ? Expectation.State.HELD : Expectation.State.OWED) : Expectation.NONE;
        observer.bodyExpected();
        StreamDecoder decoder = new StreamDecoder(declares ? framing.length() : -1);
        IncomingBody incoming = new IncomingBody(
                server(),
                admitted.spoolShare(),
                admitted.mode(),
                decoder,
                declares ? framing.length() : -1,
                server().bodyLimit(admitted),
                expectation,
                observer,
                stream);
        Http2Exchange exchange =
                new Http2Exchange(stream, parts.heads(), head, client, admitted, incoming, headHeld, observer);
        headHeld = 0;
        if (expectation.is(Expectation.State.OWED)) {
            stream.output().head(parts.heads().informational(stream.number(), 100, Fields.EMPTY));
            output.ready(stream.output());
            expectation.meet();
        }
        stream.begin(exchange, incoming, decoder);
    }

    // ---- ends

    /** Resets a stream: its client has made a mistake, or its response cannot be completed. */
    void reset(Http2Stream stream, ErrorCode code, String reason) throws IOException {
        if (stream.isReset()) {
            forgetIfOver(stream);
            return;
        }
        if (code != ErrorCode.NO_ERROR) {
            if (stream.resetBehindFrame(code)) {
                return;
            }
            glitch(OF_RESET); // nearly always the client's fault
        }
        if (stream.output().reset() || !stream.hasEndedInput()) {
            output.control(Frame.reset(stream.number(), code));
        }
        if (!stream.hasEndedInput() && lastStream - stream.number() < 128) {
            cut64 |= 1L << (lastStream - stream.number()) / 2;
        }
        stream.onReset(new ConnectionClosed(
                code == ErrorCode.INTERNAL_ERROR ? CloseCause.INTERNAL_ERROR : CloseCause.CLIENT_RESET, reason));
        forgetIfOver(stream);
        if (unread != null) {
            link.signal(ATTENTION); // the bytes of this stream are not waited for any more
        }
        flush();
    }

    private void fail(ConnectionError error) throws IOException {
        CloseCause cause =
                error.code() == ErrorCode.ENHANCE_YOUR_CALM ? CloseCause.REQUEST_TOO_LARGE : CloseCause.BAD_REQUEST;
        closeWith(error.code(), new ConnectionClosed(cause, String.valueOf(error.getMessage())));
    }

    /** Sends GOAWAY, and closes the connection when it has been sent. */
    private void closeWith(ErrorCode code, ConnectionClosed cause) throws IOException {
        if (closing == null) {
            closing = cause;
            goAway(code);
            deadline.in(timeouts().linger());
            flush();
        }
    }

    /** Names the last stream that is served. A later GOAWAY must not name a higher one (RFC 9113 section 6.8). */
    private void goAway(ErrorCode code) {
        lastServed = Math.min(lastServed, lastStream);
        output.control(Frame.goAway(lastServed, code));
    }

    private void timePassed() throws IOException {
        if (closing != null) {
            link.close(closing);
            return;
        }
        boolean wasIdle = streams == 0;
        attend();
        if (streams == 0 && !wasIdle) {
            return; // the time of an idle connection begins now
        }
        if (streams > 0 && headStream == 0) {
            long progress = output.progress();
            boolean takes = progress != progressAtSweep;
            progressAtSweep = progress;
            for (Http2Stream stream : streams()) {
                stream.checkStall(takes);
            }
            deadline.in(sweep());
        } else if (headStream != 0 || reader.isInside() && streams == 0) {
            overdue(Key.HEAD_TIMEOUT, CloseCause.HEAD_TIMEOUT);
        } else if (streams == 0) {
            overdue(Key.KEEP_ALIVE_TIMEOUT, CloseCause.KEEP_ALIVE_TIMEOUT);
        }
    }

    /** How often the responses are checked for clients that do not take them. */
    private Duration sweep() {
        return timeouts().writeStall().dividedBy(STALL_CHECKS);
    }

    private void overdue(Key timeout, CloseCause cause) throws IOException {
        server().reached(timeout);
        server().events().timedOut(id(), timeout.id());
        closeWith(ErrorCode.NO_ERROR, new ConnectionClosed(cause));
    }

    @Override
    public void close(ConnectionClosed cause) {
        link.close(cause);
    }

    // ---- the end of the server

    @Override
    public void lastRequests() throws IOException {
        if (!goingAway) {
            goingAway = true;
            output.control(Frame.goAway(Frame.MAX_STREAM_ID, ErrorCode.NO_ERROR));
            flush();
        }
    }

    @Override
    public void finish() throws IOException {
        finishing = true;
        goingAway = true;
        attend();
        if (streams == 0) {
            closeWith(ErrorCode.NO_ERROR, new ConnectionClosed(CloseCause.SERVER_STOPPING));
        } else {
            goAway(ErrorCode.NO_ERROR);
            flush();
        }
    }

    @Override
    public void cut() throws IOException {
        for (Http2Stream stream : streams()) {
            Http2Exchange running = stream.exchange();
            if (running != null) {
                running.answerOrReset(Key.SHUTDOWN_TIMEOUT);
            }
        }
        attend();
        flush();
    }

    @Override
    public void end() {
        link.close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
    }

    /** Whether the connection ends with its last stream. Any thread. */
    boolean isFinishing() {
        return finishing;
    }

    // ---- snapshots

    @Override
    public ConnectionState state() {
        ConnectionState state = closing != null
                ? ConnectionState.CLOSING
                : headStream != 0 ? ConnectionState.HEAD : ConnectionState.IDLE;
        for (Http2Stream stream : streams()) {
            state = ConnectionState.busier(state, stream.state());
        }
        return state;
    }

    @Override
    public ConnectionSnapshot snapshot() {
        List<String> described = new ArrayList<>();
        long inMemory = unread == null ? 0 : unread.buffer().remaining();
        long onDisk = 0;
        long out = 0;
        long files = 0;
        for (Http2Stream stream : streams()) {
            Http2Exchange running = stream.exchange();
            described.add(running == null ? stream.output().observer().describe() : running.describe());
            IncomingBody body = running == null ? null : running.incoming();
            inMemory += body == null ? 0 : body.inMemory();
            onDisk += body == null ? 0 : body.onDisk();
            out += stream.output().pipe().size();
            files += stream.output().pipe().inFiles();
        }
        return new ConnectionSnapshot(
                id(),
                link.remote(),
                state(),
                ageNanos(),
                described.isEmpty() ? "" : described.get(0),
                described.isEmpty() ? List.of() : described.subList(1, described.size()),
                inMemory,
                onDisk,
                out,
                files);
    }

    @Override
    public long requestBytes() {
        return snapshot().requestBytes();
    }

    @Override
    public long responseBytes() {
        return snapshot().responseBytes();
    }

    @Override
    public long ageNanos() {
        return link.reactor().now() - opened;
    }

    // ---- for the streams

    String id() {
        return AcceptedConnection.connectionId(number);
    }

    Peer peer() {
        return Peer.of(id(), link);
    }

    Link link() {
        return link;
    }

    ServerResources server() {
        return parts.server();
    }

    UnfinishedBodies unfinished() {
        return parts.unfinished();
    }

    Http2Output output() {
        return output;
    }

    Http2Heads heads() {
        return parts.heads();
    }

    /** The window of each stream at its beginning, which its request pipe can hold. */
    int receiveWindow() {
        return Math.min(Frame.FIRST_WINDOW, server().pipeBounds().assured());
    }

    /** The fields of a response without a worker. */
    static Fields cannedFields(CannedResponse answer) {
        Fields own = answer.fields();
        if (!answer.hasContent() || own.contains("Content-Type")) {
            return own;
        }
        FieldList fields = new FieldList();
        for (int i = 0, n = own.size(); i < n; i++) {
            fields.add(own.name(i), own.value(i));
        }
        return fields.add("Content-Type", "text/plain;charset=utf-8");
    }

    private Timeouts timeouts() {
        return server().config().timeouts();
    }
}
