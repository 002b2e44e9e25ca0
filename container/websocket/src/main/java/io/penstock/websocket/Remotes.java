package io.penstock.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.websocket.frame.EncodedMessage;
import io.penstock.websocket.frame.FrameConnection;
import jakarta.websocket.EncodeException;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two views of a session's peer, for blocking and for asynchronous sends. Both share batching and the send timeout.
 * {@link FrameConnection} refuses a message while another one is being sent in parts.
 *
 * <p>Thread: any. A {@link SendHandler} may be called by the thread that sends or by another; one session calls one handler at a time.
 */
final class Remotes {
    private static final Logger LOG = LoggerFactory.getLogger(Remotes.class);

    /** The bytes or characters that a stream or writer collects for a frame. */
    private static final int STREAM_BUFFER = 8 * 1024;

    /** A result, and the handler that the application has given for it. */
    private record Due(SendHandler handler, SendResult result) {}

    private final WebSocketSession session;
    private final FrameConnection frames;

    // Made at the first use: an idle session shall be small. Threads that ask at the same time may get two equal views.
    private @Nullable BasicRemote basic;
    private @Nullable AsyncRemote async;

    /** The class loader of the application, for its handlers. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private volatile long sendTimeout;

    /** The first half of a pair of surrogates whose second half comes with the next part; 0 for none. */
    @GuardedBy("this")
    private char surrogate;

    /** Results whose handlers have not been called. Null while no thread calls handlers. */
    @GuardedBy("this")
    private @Nullable Queue<Due> due;

    Remotes(WebSocketSession session, FrameConnection frames, long sendTimeout) {
        this.session = session;
        this.frames = frames;
        this.sendTimeout = sendTimeout;
    }

    BasicRemote basic() {
        BasicRemote made = basic;
        if (made == null) {
            made = new BasicRemote();
            basic = made;
        }
        return made;
    }

    AsyncRemote async() {
        AsyncRemote made = async;
        if (made == null) {
            made = new AsyncRemote();
            async = made;
        }
        return made;
    }

    private long timeout() {
        return Math.max(0, sendTimeout);
    }

    /** The bytes of a message. A message that may wait for a flush must not depend on the caller's buffer. */
    private ByteBuffer kept(ByteBuffer data) {
        return frames.isBatching()
                ? ByteBuffer.allocate(data.remaining()).put(data.duplicate()).flip()
                : data;
    }

    /** The part that can be encoded by itself. A surrogate at its end waits for the next part. */
    private synchronized String completed(String part, boolean last) {
        String text = surrogate == 0 ? part : surrogate + part;
        surrogate = 0;
        int end = text.length() - 1;
        if (last || end < 0 || !Character.isHighSurrogate(text.charAt(end))) {
            return text;
        }
        surrogate = text.charAt(end);
        return text.substring(0, end);
    }

    private static <T> T given(@Nullable T argument, String what) {
        if (argument == null) {
            throw new IllegalArgumentException(what + " must not be null");
        }
        return argument;
    }

    private static void consume(ByteBuffer data) {
        data.position(data.limit());
    }

    /** What both views have in common. */
    private abstract class Remote implements RemoteEndpoint {

        @Override
        public void setBatchingAllowed(boolean allowed) throws IOException {
            frames.batching(allowed);
            if (!allowed) {
                frames.flush();
            }
        }

        @Override
        public boolean getBatchingAllowed() {
            return frames.isBatching();
        }

        @Override
        public void flushBatch() throws IOException {
            frames.flush();
        }

        @Override
        public void sendPing(ByteBuffer applicationData) throws IOException {
            frames.ping(control(applicationData));
            consume(applicationData);
        }

        @Override
        public void sendPong(ByteBuffer applicationData) throws IOException {
            frames.pong(control(applicationData));
            consume(applicationData);
        }

        private ByteBuffer control(@Nullable ByteBuffer data) {
            ByteBuffer bytes = given(data, "The data");
            return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
        }
    }

    /** Sends that wait until the transport has taken the message, at most for the send timeout. */
    final class BasicRemote extends Remote implements RemoteEndpoint.Basic {

        @Override
        public void sendText(String text) throws IOException {
            given(text, "The text");
            frames.sendAndWait(EncodedMessage.text(text), timeout());
        }

        @Override
        public void sendBinary(ByteBuffer data) throws IOException {
            given(data, "The data");
            frames.sendAndWait(EncodedMessage.binary(kept(data)), timeout());
            consume(data);
        }

        @Override
        public void sendText(String partialMessage, boolean isLast) throws IOException {
            given(partialMessage, "The text");
            frames.sendAndWait(EncodedMessage.textPart(completed(partialMessage, isLast), isLast), timeout());
        }

        @Override
        public void sendBinary(ByteBuffer partialByte, boolean isLast) throws IOException {
            given(partialByte, "The data");
            frames.sendAndWait(EncodedMessage.binaryPart(kept(partialByte), isLast), timeout());
            consume(partialByte);
        }

        @Override
        public OutputStream getSendStream() {
            return new SendStream();
        }

        @Override
        public Writer getSendWriter() {
            return new SendWriter();
        }

        @Override
        public void sendObject(Object data) throws IOException, EncodeException {
            EncodedMessage message = session.openCoders().encode(given(data, "The object"));
            frames.sendAndWait(message, timeout());
        }
    }

    /** Sends that never wait for the peer. */
    final class AsyncRemote extends Remote implements RemoteEndpoint.Async {

        @Override
        public long getSendTimeout() {
            return sendTimeout;
        }

        @Override
        public void setSendTimeout(long timeoutmillis) {
            sendTimeout = timeoutmillis;
        }

        @Override
        public void sendText(String text, SendHandler handler) {
            given(handler, "The handler");
            send(EncodedMessage.text(given(text, "The text")), failure -> report(handler, failure));
        }

        @Override
        public Future<Void> sendText(String text) {
            Promise promise = new Promise();
            send(EncodedMessage.text(given(text, "The text")), promise);
            return promise;
        }

        @Override
        public Future<Void> sendBinary(ByteBuffer data) {
            Promise promise = new Promise();
            binary(data, promise);
            return promise;
        }

        @Override
        public void sendBinary(ByteBuffer data, SendHandler handler) {
            given(handler, "The handler");
            binary(data, failure -> report(handler, failure));
        }

        private void binary(ByteBuffer data, io.penstock.websocket.frame.SendResult result) {
            send(EncodedMessage.binary(kept(given(data, "The data"))), failure -> {
                if (failure == null) {
                    consume(data);
                }
                result.done(failure);
            });
        }

        @Override
        public Future<Void> sendObject(Object data) {
            Promise promise = new Promise();
            object(data, promise);
            return promise;
        }

        @Override
        public void sendObject(Object data, SendHandler handler) {
            given(handler, "The handler");
            object(data, failure -> report(handler, failure));
        }

        private void object(Object data, io.penstock.websocket.frame.SendResult result) {
            given(data, "The object");
            EncodedMessage message;
            try {
                message = session.openCoders().encode(data);
            } catch (EncodeException | IOException | RuntimeException e) { // also of the application's encoder
                result.done(e);
                return;
            }
            send(message, result);
        }

        private void send(EncodedMessage message, io.penstock.websocket.frame.SendResult result) {
            frames.send(message, timeout(), result);
        }
    }

    /** A future that a result completes. */
    private static final class Promise extends CompletableFuture<Void>
            implements io.penstock.websocket.frame.SendResult {
        @Override
        @SuppressWarnings("NullAway") // a future of Void has no other value
        public void done(@Nullable Throwable failure) {
            if (failure == null) {
                complete(null);
            } else {
                completeExceptionally(failure);
            }
        }
    }

    /**
     * Calls a handler. If a thread calls a handler of this session already, it calls this one afterwards, so that handlers that send again
     * need no deep stack.
     */
    private void report(SendHandler handler, @Nullable Throwable failure) {
        Due next = new Due(handler, failure == null ? new SendResult(session) : new SendResult(session, failure));
        synchronized (this) {
            if (due != null) {
                due.add(next);
                return;
            }
            due = new ArrayDeque<>();
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            while (next != null) {
                call(next);
                synchronized (this) {
                    next = Objects.requireNonNull(due).poll();
                    if (next == null) {
                        due = null;
                    }
                }
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void call(Due due) {
        try {
            due.handler.onResult(due.result);
        } catch (RuntimeException | Error e) {
            LOG.error("A SendHandler has failed: {}", due.handler.getClass().getName(), e);
        }
    }

    // ---- messages from streams

    /** A binary message that is sent in parts. Thread: one at a time. */
    private final class SendStream extends OutputStream {
        private final ByteBuffer buffer = ByteBuffer.allocate(STREAM_BUFFER);
        private boolean written;
        private boolean closed;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (closed) {
                throw new IOException("The stream is closed");
            }
            written = true;
            int done = 0;
            while (done < length) {
                if (!buffer.hasRemaining()) {
                    flush();
                }
                int count = Math.min(length - done, buffer.remaining());
                buffer.put(bytes, offset + done, count);
                done += count;
            }
        }

        @Override
        public void flush() throws IOException {
            if (buffer.position() > 0) {
                send(false);
            }
        }

        private void send(boolean last) throws IOException {
            basic().sendBinary(buffer.flip(), last);
            buffer.clear();
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                if (written) {
                    send(true);
                }
            }
        }
    }

    /** A text message that is sent in parts. Thread: one at a time. */
    private final class SendWriter extends Writer {
        private final StringBuilder buffer = new StringBuilder();
        private boolean written;
        private boolean closed;

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, characters.length);
            if (closed) {
                throw new IOException("The writer is closed");
            }
            written = true;
            int done = 0;
            while (done < length) {
                if (buffer.length() == STREAM_BUFFER) {
                    flush();
                }
                int count = Math.min(length - done, STREAM_BUFFER - buffer.length());
                buffer.append(characters, offset + done, count);
                done += count;
            }
        }

        @Override
        public void flush() throws IOException {
            if (buffer.length() > 0) {
                send(false);
            }
        }

        private void send(boolean last) throws IOException {
            String part = buffer.toString();
            buffer.setLength(0);
            basic().sendText(part, last);
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                if (written) {
                    send(true);
                }
            }
        }
    }
}
