package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.Require;
import io.penstock.loadtest.client.Target;
import java.util.function.BiFunction;

/** The table of slow clients: the ways in which a client is slow. The {@link Member} of an entry is what the client does. */
public enum SlowClient {
    /** Sends one request, receives the response, and keeps its connection open. */
    IDLE(0, Member.IdleMember::new),

    /** Sends half of a request head, and then nothing more. */
    HALF_HEAD(0, Member.HalfHeadMember::new),

    /** Sends half of its first message of TLS, and then nothing more. */
    HALF_HELLO(0, Member.HalfHandshakeMember::new),

    /**
     * Sends its first message of TLS, but not its second. The server has already done the work of the key exchange and the signature when
     * it waits for the second message.
     */
    HALF_HANDSHAKE(0, Member.HalfHandshakeMember::new),

    /** Sends the body of each request in small pieces of a few bytes. After a response, it begins the next request. */
    UPLOAD(1, Member.UploadMember::new),

    /**
     * Reads each response in small pieces of a few bytes. After a response, it sends the next request. The kernel receives bytes before the
     * client reads them. The size of the receive buffer, in the settings of the loop, limits the number of these bytes.
     */
    READER(1, Member.ReaderMember::new),

    /** A connection of HTTP/2, on which each stream sends a body like {@link #UPLOAD}, without a burst. */
    H2_UPLOAD(1, StreamsMember::new),

    /** A connection of HTTP/2, on which each stream has a window of the size of one read, which never grows. */
    H2_READER(1, StreamsMember::new),

    /** A session of WebSocket, which gets one message back, and is idle then. */
    WS_IDLE(0, Member.WebSocketMember::new),

    /** The same with compression. */
    WS_IDLE_DEFLATED(0, Member.WebSocketMember::new),

    /** A session of WebSocket that never reads a message. */
    WS_READER(1, Member.WebSocketMember::new);

    private final int files;
    private final BiFunction<Crowd, CrowdPlan.Group, Member> maker;

    /** @param files the most files that a server has open for the client: the body or response on disk, or a file that is sent */
    SlowClient(int files, BiFunction<Crowd, CrowdPlan.Group, Member> maker) {
        this.files = files;
        this.maker = maker;
    }

    public int files() {
        return files;
    }

    /** Whether each stream of a connection counts as a slow client. */
    public boolean isHttp2() {
        return this == H2_UPLOAD || this == H2_READER;
    }

    Member member(Crowd crowd, CrowdPlan.Group group) {
        return maker.apply(crowd, group);
    }

    /**
     * The requests of slow clients, and the speed at which they send and read.
     *
     * @param length the length of the body of an upload, in bytes
     * @param burst the number of bytes that an upload sends at once after the head, before the first piece
     * @param drop the number of bytes in a piece of a body
     * @param read the number of bytes of a response that are read at a time, and the window of a stream
     * @param pauseMillis the pause between two pieces of a body, or between two reads
     * @param streams the number of streams of each connection of HTTP/2
     */
    public record Manner(Target target, int length, int burst, int drop, int read, int pauseMillis, int streams) {
        public Manner {
            Require.atLeast(1, length, "The length of a body");
            Require.atLeast(0, burst, "The burst");
            Require.atLeast(1, drop, "The bytes sent at a time");
            Require.atLeast(1, read, "The bytes read at a time");
            Require.atLeast(1, pauseMillis, "The pause between two pieces");
            Require.atLeast(1, streams, "The number of streams");
        }

        /** A body of 10 MB of which a byte is sent each half second, or a response of which 500 bytes are read each half second. */
        public static Manner to(Target target) {
            return new Manner(target, 10 << 20, 0, 1, 500, 500, 1);
        }

        public Manner withBurst(int bytes) {
            return new Manner(target, length, bytes, drop, read, pauseMillis, streams);
        }

        public Manner withStreams(int number) {
            return new Manner(target, length, burst, drop, read, pauseMillis, number);
        }
    }
}
