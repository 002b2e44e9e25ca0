package io.penstock.http2;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.Peer;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Shutdown;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http.Fields;
import io.penstock.http.Violation;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
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

    /** How often a response is checked within the time that its client may take no byte. */
    static final int STALL_CHECKS = 4;

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** The longest time for which a worker may leave a response to be sent behind the next one ({@link Http2Output#leave}). */
    private static final Duration MAX_LEFT = Duration.ofMillis(20);

    /** So many streams may have a window that is wider than their pipe. */
    private static final int MAX_WIDE_STREAMS = 4;

    private static final int MAX_READS = 4;

    /**
     * The most bytes of one read while the pool has no segment. The connection must be read, since WINDOW_UPDATE can free memory, but it may
     * have to keep these bytes.
     */
    private static final int MAX_READ_WITHOUT_MEMORY = 1024;

    private static final AtomicReferenceFieldUpdater<Http2Connection, @Nullable Http2Stream> ASKING =
            AtomicReferenceFieldUpdater.newUpdater(Http2Connection.class, Http2Stream.class, "asking");

    private final Http2Parts parts;
    private final Link link;
    private final long number;
    private final long opened;
    private final Http2Output output;
    private final FrameReader reader = new FrameReader();
    private final Deadline deadline;
    private final Deadline stalled;
    private @Nullable Deadline pause; // made at the first pause of the reading; most connections have none

    private final StreamTable streams = new StreamTable();
    private final ControlFrames control;
    private final IncomingHeads heads;
    private final Patience patience;

    // The streams that ask for attention, as a list. Any thread may add one.
    private volatile @Nullable Http2Stream asking;

    private int connectionCredit; // received, and not given back yet

    // Set when a worker has left a response to be sent behind the next one, or will probably leave one.
    private @Nullable Deadline leaving;

    // The DATA frame that arrives.
    private @Nullable Http2Stream dataStream;

    private int wideStreams;
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
        this.control = new ControlFrames(this);
        this.heads = new IncomingHeads(this, parts);
        this.patience = new Patience(opened);
        this.output = new Http2Output(
                link,
                LinkWriter.Files.where(parts.server().config().service().call()),
                parts.server().streamFiles(),
                parts.server().headBudget());
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
        if (server().shutdown().isFinishing()) {
            deadline.in(Shutdown.FIRST_REQUEST); // the server may have begun to stop during the TLS handshake
        } else {
            deadline.in(timeouts().head());
        }
        output.control(Frame.settings(
                Frame.MAX_CONCURRENT_STREAMS, server().config().http2().maxStreams(),
                Frame.INITIAL_WINDOW_SIZE, receiveWindow(),
                Frame.MAX_HEADER_LIST_SIZE, server().config().messages().headerBytes(),
                // Always: applications with endpoints come and go while a connection lasts, and the value must not go
                // back to 0 (RFC 8441 section 3). A path without an endpoint refuses the handshake as over HTTP/1.1.
                Frame.ENABLE_CONNECT_PROTOCOL, 1,
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
        SegmentPool pool = server().pool();
        buffer.limit(Math.min(buffer.limit(), pool.isUsedUp() ? MAX_READ_WITHOUT_MEMORY : pool.segmentSize()));
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
            link.close(new ConnectionClosed(streams.isEmpty() ? CloseCause.CLIENT_CLOSED : CloseCause.CLIENT_LEFT));
        }
    }

    private boolean isPaused() {
        return unread != null || paused || closing != null || output.isControlFull();
    }

    /** Whether the connection is read now. Otherwise a client that seems to be slow need not be so. */
    boolean isReading() {
        return !isPaused();
    }

    private void frame(ByteBuffer in) throws IOException {
        framing = true;
        try {
            if (closing == null) {
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
    void glitch(int cost) {
        if (patience.isLostBy(cost, link.reactor().now()) && !paused && link.isOpen()) {
            paused = true;
            server().count(Counter.FLOOD_PAUSES);
            link.wantReadable(false);
            pauseFor(PAUSE);
        }
    }

    private void pauseFor(Duration time) {
        Deadline set = pause;
        if (set == null) {
            set = new Deadline(link) {
                @Override
                protected void passed() throws IOException {
                    pauseOver();
                }
            };
            pause = set;
        }
        set.in(time);
    }

    /** Bounds the time for which workers may leave what they have answered. */
    private void boundLeaving() {
        if (leaving != null) {
            return;
        }
        Deadline set = new Deadline(link) {
            @Override
            protected void passed() throws IOException {
                leftLongEnough();
            }
        };
        leaving = set;
        output.boundsLeaving(true);
        set.in(MAX_LEFT);
    }

    private void leftLongEnough() throws IOException {
        leaving = null;
        output.boundsLeaving(false); // first: whoever leaves something from now on asks for another deadline
        output.endLeaving();
        flush();
    }

    private void pauseOver() throws IOException {
        Duration more = patience.untilRegained(link.reactor().now());
        if (!more.isZero()) {
            pauseFor(more);
            return;
        }
        paused = false;
        if (unread == null) {
            frame(ResponsePipe.NOTHING); // perhaps the last frame before the pause was an empty DATA frame
        }
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
            byte[] outside = new byte[buffer.remaining()];
            buffer.get(outside);
            kept = SegmentPool.segment(outside);
        } else {
            kept.buffer().put(buffer).flip();
        }
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
            if (unread == null && inputEnded) {
                endOfInput();
            }
        }
        flush(); // also if bytes remain: answers to frames before them
    }

    @Override
    public void onWritable() throws IOException {
        flush(true);
    }

    @Override
    public void onSignals(int bits) throws IOException {
        if ((bits & Http2Output.FAILED) != 0) {
            link.close(new ConnectionClosed(CloseCause.CLIENT_RESET));
            return;
        }
        if ((bits & Http2Output.LEFT) != 0) {
            boundLeaving();
        }
        attend();
        if (unread != null) {
            resumeReading(); // the stream that took no bytes may have been reset
        }
        flush();
    }

    /** Sends what can be sent. */
    void flush() throws IOException {
        flush(false);
    }

    private void flush(boolean writable) throws IOException {
        if (!link.isOpen()) {
            return;
        }
        if (lingering) {
            endOutput(Objects.requireNonNull(closing));
            return;
        }
        boolean all;
        try {
            all = output.flushAsReactor(writable);
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
     * are unread, the operating system would send a reset, which can destroy a response that is on its way. Unlike in HTTP/1.1, clients send
     * frames while they receive a response, so a server that stops waits for them, too.
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
        if (!inputEnded && (streams.last() > 0 || !shutdown.isFinishing() || shutdown.isCutting())) {
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
        if (pause != null) {
            pause.remove();
        }
        if (leaving != null) {
            leaving.remove();
        }
        output.onClosed();
        control.close();
        heads.close();
        ConnectionClosed why = closing == null ? cause : closing;
        if (unread != null && !framing) { // otherwise the bytes are still in use
            unread.release();
            unread = null;
        }
        for (Http2Stream stream : streams.all()) {
            try {
                stream.onReset(why);
            } catch (RuntimeException | Error e) {
                server().rounds().handle("The end of a stream failed", e); // the workers of others must be told
            } finally {
                stream.release();
            }
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

    /** Does what the streams have asked for. */
    void attend() throws IOException {
        Http2Stream next = asking == null ? null : ASKING.getAndSet(this, null);
        while (next != null) {
            Http2Stream stream = next;
            next = stream.nextAsking;
            stream.nextAsking = null;
            stream.attend();
        }
    }

    void forgetIfOver(Http2Stream stream) throws IOException {
        if (!stream.isOver() || !streams.remove(stream)) {
            return;
        }
        stream.release();
        if (!stream.isReset()) {
            patience.answered();
        }
        if (streams.isEmpty()) {
            output.queued(null);
        }
        if (streams.isEmpty() && closing == null) {
            deadline.in(timeouts().keepAlive());
            if (server().shutdown().isFinishing()) {
                closeWith(ErrorCode.NO_ERROR, new ConnectionClosed(CloseCause.SERVER_STOPPING));
            }
        }
    }

    // ---- frames

    /**
     * Whether the next frame is read now. If the client has used up the patience, the rest waits, since it can cost much more than its octets:
     * a thousand SETTINGS may lie in one buffer, each for all streams. While memory is short, the rest is not kept. Nothing is read behind the
     * end of the connection.
     */
    boolean mayGoOn() {
        return closing == null && (!paused || !server().pool().isPlentiful());
    }

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
        if (stream == 0 || (stream & 1) == 0 || stream > streams.last()) {
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
        Http2Stream to = streams.find(stream);
        dataStream = to;
        if (length == 0) {
            glitch(1);
        }
        if (to == null && streams.wasCut(stream)) {
            return; // on its way when the server reset the stream (RFC 9113 section 5.1)
        }
        if (to == null || to.hasEndedInput() && to.output().isAnswered()) {
            closedStream(stream); // its worker may still be at the end of its call
        } else if (!to.isReset()) {
            if (to.hasEndedInput()) {
                reset(to, ErrorCode.STREAM_CLOSED, "DATA behind the end of the stream");
            } else if (!to.permits(length)) {
                reset(to, ErrorCode.FLOW_CONTROL_ERROR, "more bytes than the window of the stream");
            }
        }
    }

    /** A frame of a stream that is over. */
    private void closedStream(int stream) {
        glitch(1);
        sendReset(stream, ErrorCode.STREAM_CLOSED);
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

    void endInput(Http2Stream stream, Fields trailers) throws IOException, Violation {
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
        if (!control.hasSettings() && type != Frame.SETTINGS) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "no SETTINGS behind the preface");
        }
        if (heads.isInside() && type != Frame.CONTINUATION) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "another frame within a head");
        }
        switch (type) {
            case Frame.HEADERS -> heads.headers(flags, stream, payload, start, end);
            case Frame.CONTINUATION -> heads.continuation(flags, stream, payload, start, end);
            case Frame.PRIORITY -> control.priority(stream, payload, start, length);
            case Frame.RST_STREAM -> control.rstStream(stream, payload, start, length);
            case Frame.SETTINGS -> control.settings(flags, stream, payload, start, end);
            case Frame.PUSH_PROMISE -> throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "PUSH_PROMISE of a client");
            case Frame.PING -> control.ping(flags, stream, payload, start, length);
            case Frame.GOAWAY -> control.goAway(stream, length);
            case Frame.WINDOW_UPDATE -> control.windowUpdate(stream, payload, start, length);
            case Frame.PRIORITY_UPDATE -> control.priorityUpdate(stream, payload, start, end);
            default -> {
                // RFC 9113 section 5.5: frames of an unknown type are ignored.
            }
        }
    }

    private void checkBetweenHeads() throws ConnectionError {
        if (heads.isInside()) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "another frame within a head");
        }
        if (!control.hasSettings()) {
            throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "no SETTINGS behind the preface");
        }
    }

    // ---- streams that begin

    /** The client has sent a whole request head on a new stream. */
    Http2Stream open(int number) {
        if (streams.isEmpty()) {
            deadline.in(sweep());
        } else {
            boundLeaving(); // a worker may leave the response of another stream until it has taken this request
        }
        Http2Stream stream = new Http2Stream(this, number, control.receiveWindow(), control.sendWindow());
        streams.add(stream);
        return stream;
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
            glitch(Patience.OF_RESET); // nearly always the client's fault
        }
        if (stream.output().reset() || !stream.hasEndedInput()) {
            sendReset(stream.number(), code);
        }
        if (!stream.hasEndedInput()) {
            streams.cut(stream.number());
        }
        stream.onReset(new ConnectionClosed(
                code == ErrorCode.INTERNAL_ERROR ? CloseCause.INTERNAL_ERROR : CloseCause.CLIENT_RESET, reason));
        forgetIfOver(stream);
        if (unread != null) {
            link.signal(ATTENTION); // the bytes of this stream are not waited for any more
        }
        flush();
    }

    /** Sends and counts the frame of a reset. */
    void sendReset(int stream, ErrorCode code) {
        server().count(code.byServer());
        output.control(Frame.reset(stream, code));
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
        lastServed = Math.min(lastServed, streams.last());
        output.control(Frame.goAway(lastServed, code));
    }

    private void timePassed() throws IOException {
        if (closing != null) {
            link.close(closing);
            return;
        }
        boolean wasIdle = streams.isEmpty();
        attend();
        if (streams.isEmpty() && !wasIdle) {
            return; // the time of an idle connection begins now
        }
        if (!streams.isEmpty()) {
            long progress = output.progress();
            boolean takes = progress != progressAtSweep;
            progressAtSweep = progress;
            for (Http2Stream stream : streams.all()) {
                stream.checkStall(takes);
            }
            deadline.in(sweep());
        } else if (heads.isIncomplete() && streams.last() > 0) {
            deadline.in(timeouts().head()); // the head has its own deadline
        } else if (reader.isInside() || heads.isInside()) {
            overdue(Key.HEAD_TIMEOUT, CloseCause.HEAD_TIMEOUT, ErrorCode.NO_ERROR);
        } else {
            overdue(Key.KEEP_ALIVE_TIMEOUT, CloseCause.KEEP_ALIVE_TIMEOUT, ErrorCode.NO_ERROR);
        }
    }

    /** How often the responses are checked for clients that do not take them. */
    private Duration sweep() {
        return timeouts().writeStall().dividedBy(STALL_CHECKS);
    }

    /** The client has not done in time what it must do. The connection ends. */
    void overdue(Key timeout, CloseCause cause, ErrorCode code) throws IOException {
        server().reached(timeout);
        server().events().timedOut(id(), timeout.id());
        closeWith(code, new ConnectionClosed(cause));
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
        for (Http2Stream stream : streams.all()) {
            stream.finish();
        }
        if (streams.isEmpty()) {
            closeWith(ErrorCode.NO_ERROR, new ConnectionClosed(CloseCause.SERVER_STOPPING));
        } else {
            goAway(ErrorCode.NO_ERROR);
            flush();
        }
    }

    @Override
    public void cut() throws IOException {
        for (Http2Stream stream : streams.all()) {
            Http2Exchange running = stream.exchange();
            if (running != null) {
                running.cut();
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
                : heads.isInside() ? ConnectionState.HEAD : ConnectionState.IDLE;
        for (Http2Stream stream : streams.all()) {
            state = ConnectionState.busier(state, stream.state());
        }
        return state;
    }

    @Override
    public ConnectionSnapshot snapshot() {
        return streams.snapshot(this, unread == null ? 0 : unread.buffer().remaining());
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
    public int streams() {
        return streams.count(stream -> !stream.isOver()); // those that are over are forgotten at the next event
    }

    @Override
    public int blockedStreams() {
        return streams.count(stream -> stream.output().isBlocked());
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

    StreamTable table() {
        return streams;
    }

    Http2Heads heads() {
        return parts.heads();
    }

    ControlFrames control() {
        return control;
    }

    /** The heads that arrive. */
    IncomingHeads incoming() {
        return heads;
    }

    /** Whether a further stream may open its window wider. Counts the stream, until {@link #opensLess}. */
    boolean mayOpenWider() {
        boolean may = wideStreams < MAX_WIDE_STREAMS;
        wideStreams += may ? 1 : 0;
        return may;
    }

    void opensLess() {
        wideStreams--;
    }

    /** The window of each stream at its beginning, which its request pipe can hold. */
    int receiveWindow() {
        return Math.min(Frame.FIRST_WINDOW, server().pipeBounds().assured());
    }

    Timeouts timeouts() {
        return server().config().timeouts();
    }
}
