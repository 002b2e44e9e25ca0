package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.Target;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** The way in which a client is slow. */
public sealed interface Kind {

    /** The target of its requests. */
    Target target();

    /** The client has had a response, and keeps its connection. */
    record Idle(Target target) implements Kind {}

    /** The client has sent half a head, and sends nothing more. */
    record HalfHead(Target target) implements Kind {}

    /**
     * The client begins a TLS handshake, and sends nothing more.
     *
     * @param answered whether the server has all that it needs to answer, and then waits for the client's part
     * @param hello the bytes that it sends
     */
    record HalfHandshake(Target target, boolean answered, ByteBuffer hello) implements Kind {
        public HalfHandshake {
            hello = hello.asReadOnlyBuffer();
        }

        /** The client has sent half of its first message. */
        public static HalfHandshake inHello(Target target, SSLContext context) throws SSLException {
            ByteBuffer whole = hello(context);
            return new HalfHandshake(target, false, whole.limit(whole.limit() / 2));
        }

        /**
         * The client has sent its first message, and never sends the second one. By then the server has made its key exchange
         * and signature.
         */
        public static HalfHandshake behindHello(Target target, SSLContext context) throws SSLException {
            return new HalfHandshake(target, true, hello(context));
        }

        private static ByteBuffer hello(SSLContext context) throws SSLException {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.allocate(0), record);
            return record.flip();
        }
    }

    /**
     * The client sends the bodies of its requests a few bytes (a drop) at a time. After a response it begins the next request.
     *
     * @param length of a body, in bytes
     * @param first bytes sent at once with the head, before the drops begin
     * @param drop bytes sent at a time
     * @param pauseMillis between two drops
     */
    record Upload(Target target, int length, int first, int drop, int pauseMillis) implements Kind {
        public Upload {
            atLeastOne(length, "The length of a body");
            if (first < 0) {
                throw new IllegalArgumentException("There cannot be " + first + " bytes before the drops");
            }
            atLeastOne(drop, "The bytes sent at a time");
            atLeastOne(pauseMillis, "The pause between two drops");
        }
    }

    /**
     * The client reads the responses to its requests a few bytes at a time. After a response it sends the next request. The
     * receive buffer of its loop limits how much the kernel reads for it meanwhile.
     *
     * @param bytes read at a time
     * @param pauseMillis between two reads
     */
    record Reader(Target target, int bytes, int pauseMillis) implements Kind {
        public Reader {
            atLeastOne(bytes, "The bytes read at a time");
            atLeastOne(pauseMillis, "The pause between two reads");
        }
    }

    private static void atLeastOne(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, not " + value);
        }
    }
}
