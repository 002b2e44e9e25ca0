package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.Target;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** The kind of a slow client: the way in which the client is slow. */
public sealed interface Kind {

    /** The target of the client's requests. */
    Target target();

    /** The number of slow clients that one connection counts as. */
    default int clients() {
        return 1;
    }

    /** The client sends one request, receives the response, and keeps its connection open. */
    record Idle(Target target) implements Kind {}

    /** The client sends half of a request head, and then nothing more. */
    record HalfHead(Target target) implements Kind {}

    /**
     * The client begins a TLS handshake, and then sends nothing more.
     *
     * @param answered whether the client sends its complete first message, so that the server answers and then waits for the client's
     *     second message
     * @param hello the bytes that the client sends
     */
    record HalfHandshake(Target target, boolean answered, ByteBuffer hello) implements Kind {
        public HalfHandshake {
            hello = hello.asReadOnlyBuffer();
        }

        /** Returns a client that sends half of its first message. */
        public static HalfHandshake inHello(Target target) {
            ByteBuffer whole = firstMessage();
            return new HalfHandshake(target, false, whole.limit(whole.limit() / 2));
        }

        /**
         * Returns a client that sends its first message, but not its second message. The server has already done the work of the key
         * exchange and the signature when it waits for the second message.
         */
        public static HalfHandshake behindHello(Target target) {
            return new HalfHandshake(target, true, firstMessage());
        }

        private static ByteBuffer firstMessage() {
            try {
                SSLEngine engine = SSLContext.getDefault().createSSLEngine();
                engine.setUseClientMode(true);
                ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
                engine.wrap(ByteBuffer.allocate(0), record);
                return record.flip();
            } catch (NoSuchAlgorithmException | SSLException impossible) {
                throw new IllegalStateException("The JDK has no TLS", impossible);
            }
        }
    }

    /**
     * The client sends the body of each request in small pieces of a few bytes. After a response, the client begins the next
     * request.
     *
     * @param length the length of a body, in bytes
     * @param first the number of bytes that the client sends at once after the head, before the first piece
     * @param drop the number of bytes in a piece
     * @param pauseMillis the pause between two pieces, in milliseconds
     */
    record Upload(Target target, int length, int first, int drop, int pauseMillis) implements Kind {
        public Upload {
            atLeastOne(length, "The length of a body");
            if (first < 0) {
                throw new IllegalArgumentException("The burst must be at least 0 bytes, not " + first);
            }
            atLeastOne(drop, "The bytes sent at a time");
            atLeastOne(pauseMillis, "The pause between two pieces");
        }
    }

    /**
     * The client reads each response in small pieces of a few bytes. After a response, the client sends the next request. The kernel
     * receives bytes before the client reads them. The size of the receive buffer, in the settings of the loop, limits the number of these
     * bytes.
     *
     * @param bytes the number of bytes that the client reads at a time
     * @param pauseMillis the pause between two reads, in milliseconds
     */
    record Reader(Target target, int bytes, int pauseMillis) implements Kind {
        public Reader {
            atLeastOne(bytes, "The bytes read at a time");
            atLeastOne(pauseMillis, "The pause between two reads");
        }
    }

    /**
     * The client has one connection of HTTP/2, on which each stream counts as a slow client.
     *
     * @param clients the number of streams
     * @param each what a stream does: an upload without a burst; or a reader whose window has the size of one read, and never grows
     */
    record Streams(int clients, Kind each) implements Kind {
        public Streams {
            atLeastOne(clients, "The number of streams");
            if (!(each instanceof Reader) && !(each instanceof Upload upload && upload.first() == 0)) {
                throw new IllegalArgumentException("A stream is a reader, or an upload without a burst, not " + each);
            }
        }

        @Override
        public Target target() {
            return each.target();
        }
    }

    private static void atLeastOne(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }
}
