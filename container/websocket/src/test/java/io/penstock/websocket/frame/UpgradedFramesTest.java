package io.penstock.websocket.frame;

import static io.penstock.websocket.frame.Peer.masked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.CloseCause;
import io.penstock.events.WebSocketEnd;
import io.penstock.part.UpgradedConnection;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests the reads of a connection whose jobs run when the test says so, and what becomes of a message for which there is no memory. */
class UpgradedFramesTest {
    private final Queue<Runnable> jobs = new ArrayDeque<>();
    private final CompletableFuture<FrameConnection> opened = new CompletableFuture<>();
    private final CompletableFuture<WebSocketEnd> ended = new CompletableFuture<>();
    private final Connection connection = new Connection();
    private final Peer listener = Peer.server();
    private final UpgradedFrames frames = new UpgradedFrames();

    /** A connection whose client sends what the test says, and takes nothing. */
    private final class Connection implements UpgradedConnection {
        private ByteBuffer arrived = ByteBuffer.allocate(0);
        private boolean closed;

        @Override
        public ServletInputStream getInputStream() {
            return new ServletInputStream() {
                @Override
                public boolean isFinished() {
                    return false;
                }

                @Override
                public boolean isReady() {
                    return !closed && arrived.hasRemaining();
                }

                @Override
                public void setReadListener(ReadListener listener) {}

                @Override
                public int read() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public int read(byte[] target, int offset, int length) {
                    int count = Math.min(length, arrived.remaining());
                    arrived.get(target, offset, count);
                    return count;
                }
            };
        }

        @Override
        public ServletOutputStream getOutputStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isLeaving() {
            return false;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) {}

        @Override
        public boolean awaitRoom(long nanos) {
            return false;
        }

        @Override
        public void whenRoom(Runnable action) {}

        @Override
        public void work(Runnable action) {
            jobs.add(action);
        }

        @Override
        public void execute(Runnable job) {
            jobs.add(job);
        }

        @Override
        public Future<?> after(Duration delay, Runnable action) {
            return new CompletableFuture<>();
        }

        @Override
        public long pendingBytes() {
            return 0;
        }

        @Override
        public CloseCause cause(Throwable failure) {
            return CloseCause.UPGRADE_ENDED;
        }

        @Override
        public void count(Figure figure, long number) {}

        @Override
        public void abort(Throwable cause) {}
    }

    private void open(long unfinished) {
        frames.prepare(
                null,
                new UnfinishedMessages(unfinished),
                made -> {
                    opened.complete(made);
                    return listener;
                },
                ended::complete);
        frames.init(connection);
    }

    private void runJobs() {
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
        }
    }

    /** The memory must not wait for the client, which may take its output slowly. */
    @Test
    void aMessageForWhichThereIsNoMemoryIsDroppedBeforeTheConnectionHasEnded() throws Exception {
        open(600);
        byte[] message = masked(0x82, new byte[1000]);
        connection.arrived = ByteBuffer.wrap(Arrays.copyOf(message, 900));
        frames.onDataAvailable();
        assertTrue(connection.closed);
        assertTrue(opened.get().bufferedBytes() > 600);
        runJobs();
        assertEquals(0, opened.get().bufferedBytes());
        frames.destroy();
        frames.released();
        assertEquals(WebSocketEnd.UNFINISHED_MESSAGES, ended.get());
    }

    @Test
    void whatAClientSendsWithoutAPauseIsReadByManyJobs() throws Exception {
        open(1 << 20);
        byte[] message = masked(0x82, new byte[1000]);
        int messages = 100;
        ByteBuffer all = ByteBuffer.allocate(messages * message.length);
        while (all.hasRemaining()) {
            all.put(message);
        }
        connection.arrived = all.flip();
        frames.onDataAvailable();
        int first = listener.events.size();
        assertTrue(first < messages / 2, "messages of the first job: " + first);
        assertEquals(1, jobs.size());
        runJobs();
        assertEquals(messages, listener.events.size());
    }
}
