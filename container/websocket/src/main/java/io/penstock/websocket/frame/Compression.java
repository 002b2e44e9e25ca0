package io.penstock.websocket.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and inflates the messages of one connection (RFC 7692 section 7.2). A {@link Deflater} has about 260 KB of native memory, an
 * {@link Inflater} about 45 KB. So a connection holds one only during a message, unless a context is kept.
 *
 * <p>Thread: {@link #inflate} and {@link #endMessage}: the thread that feeds the connection; {@link #compress}: the holder of the
 * connection's monitor; {@link #close}: any, when neither runs.
 */
final class Compression {
    /** Smaller messages are not compressed: they would hardly need fewer packets. */
    static final int SMALLEST = 1024;

    /** Beyond {@link #RATIO_COUNTS} inflated bytes, a message may have at most this many times its compressed bytes. */
    private static final int MAX_RATIO = 250;

    private static final int RATIO_COUNTS = 1 << 20;
    private static final int BUFFER = 8 * 1024;
    private static final int LEAST_OUTPUT = 64;

    /** The end of each compressed message, which is not sent (section 7.2.1). */
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private static final Pool<Deflating> DEFLATERS = new Pool<>(Deflating::new);
    private static final Pool<Inflating> INFLATERS = new Pool<>(Inflating::new);

    private final DeflateParameters parameters;
    private @Nullable Deflating deflating;
    private @Nullable Inflating inflating;
    private long arrived;
    private long inflated;

    /** Takes the bytes of an inflated message. */
    interface Sink {
        void take(byte[] bytes, int from, int to) throws Violation;
    }

    Compression(DeflateParameters parameters) {
        this.parameters = parameters;
    }

    /** Whether compressed messages do not depend on earlier ones, so that connections can share them. */
    boolean isShareable() {
        return !parameters.keepsOwn();
    }

    /** Compresses a message with the context of the earlier ones of this connection. */
    ByteBuffer compress(ByteBuffer message) {
        Deflating own = deflating;
        if (own == null) {
            own = DEFLATERS.take();
            deflating = own;
        }
        return own.deflate(message);
    }

    /** Compresses a message without the context of other messages. */
    static ByteBuffer compressAlone(ByteBuffer message) {
        Deflating pooled = DEFLATERS.take();
        try {
            return pooled.deflate(message);
        } finally {
            DEFLATERS.give(pooled);
        }
    }

    /** The memory of the inflater of an unfinished message, native or on the heap. */
    int inflatingBytes() {
        return inflating == null ? 0 : Inflating.BYTES;
    }

    /** Inflates the next bytes of a message. */
    void inflate(byte[] bytes, int from, int to, Sink sink) throws Violation {
        Inflating own = inflating;
        if (own == null) {
            own = INFLATERS.take();
            inflating = own;
        }
        arrived += to - from;
        own.inflater.setInput(bytes, from, to - from);
        try {
            for (int count = own.inflater.inflate(own.buffer); count > 0; count = own.inflater.inflate(own.buffer)) {
                inflated += count;
                if (inflated > RATIO_COUNTS && inflated / MAX_RATIO > arrived) {
                    throw new Violation(Violation.TOO_BIG, "The message inflates to too many times its size.");
                }
                sink.take(own.buffer, 0, count);
            }
        } catch (DataFormatException e) {
            throw new Violation(Violation.NOT_CONSISTENT, "The message is not compressed correctly.");
        }
        if (own.inflater.needsDictionary()) {
            throw new Violation(Violation.NOT_CONSISTENT, "The message is not compressed correctly.");
        }
    }

    /** Inflates the end of a message. */
    void endMessage(Sink sink) throws Violation {
        inflate(TAIL, 0, TAIL.length, sink);
        Inflating own = inflating;
        if (own != null && !parameters.keepsPeers()) {
            inflating = null;
            INFLATERS.give(own);
        } else if (own != null && own.inflater.finished()) {
            own.inflater.reset(); // the peer has ended the stream by a final block (section 7.2.3.4)
        }
        arrived = 0;
        inflated = 0;
    }

    /** The connection has ended. */
    void close() {
        Deflating ofOwn = deflating;
        if (ofOwn != null) {
            deflating = null;
            DEFLATERS.give(ofOwn);
        }
        dropUnfinished();
    }

    /** Drops the unfinished message of the peer. */
    void dropUnfinished() {
        Inflating ofPeer = inflating;
        if (ofPeer != null) {
            inflating = null;
            INFLATERS.give(ofPeer);
        }
    }

    /** What a pool keeps. */
    private interface Pooled {
        void reset();

        void end();
    }

    /** Keeps a few objects with native memory for their next user. Thread: any. */
    private static final class Pool<T extends Pooled> {
        private static final int MOST = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

        private final ConcurrentLinkedQueue<T> kept = new ConcurrentLinkedQueue<>();
        private final AtomicInteger size = new AtomicInteger();
        private final Supplier<T> factory;

        Pool(Supplier<T> factory) {
            this.factory = factory;
        }

        T take() {
            T taken = kept.poll();
            if (taken == null) {
                return factory.get();
            }
            size.decrementAndGet();
            return taken;
        }

        void give(T used) {
            if (size.incrementAndGet() > MOST) {
                size.decrementAndGet();
                used.end();
            } else {
                used.reset();
                kept.add(used);
            }
        }
    }

    private static final class Deflating implements Pooled {
        /** The fastest level: the default takes two to four times as long for a tenth to a fifth fewer bytes. */
        private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

        ByteBuffer deflate(ByteBuffer message) {
            deflater.setInput(message.duplicate());
            byte[] out = new byte[LEAST_OUTPUT + message.remaining() / 2];
            int length = 0;
            while (true) {
                length += deflater.deflate(out, length, out.length - length, Deflater.SYNC_FLUSH);
                if (length < out.length) {
                    break;
                }
                out = Arrays.copyOf(out, 2 * out.length);
            }
            return ByteBuffer.wrap(out, 0, length - TAIL.length);
        }

        @Override
        public void reset() {
            deflater.reset();
        }

        @Override
        public void end() {
            deflater.end();
        }
    }

    private static final class Inflating implements Pooled {
        /** An estimate of its memory, native or on the heap. */
        static final int BYTES = 45 * 1024 + BUFFER;

        private final Inflater inflater = new Inflater(true);
        private final byte[] buffer = new byte[BUFFER];

        @Override
        public void reset() {
            inflater.reset();
        }

        @Override
        public void end() {
            inflater.end();
        }
    }
}
