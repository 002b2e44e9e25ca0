package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the event stream of a follower. A follower is an open page of the flow board, the live page for operators. If the page reads too
 * slowly, the server skips events.
 */
class FollowerTest {
    private final ManualStream stream = new ManualStream();
    private final CountingContext async = new CountingContext();
    private final Board board = new Board(new QuietServer(), 2);
    private final Follower follower = new Follower(board, async, stream);

    /** A stream whose readiness the test sets. */
    private static final class ManualStream extends ServletOutputStream {
        final ByteArrayOutputStream written = new ByteArrayOutputStream();
        boolean ready = true;
        boolean broken;

        @Override
        public void write(int b) throws IOException {
            if (broken) {
                throw new IOException("on purpose");
            }
            written.write(b);
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    /** An async context that counts the calls of {@code complete}. */
    private static final class CountingContext implements AsyncContext {
        int completed;

        @Override
        public void complete() {
            completed++;
        }

        @Override
        public ServletRequest getRequest() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ServletResponse getResponse() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean hasOriginalRequestAndResponse() {
            return true;
        }

        @Override
        public void dispatch() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void dispatch(String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void dispatch(ServletContext context, String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void start(Runnable run) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void addListener(AsyncListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T extends AsyncListener> T createListener(Class<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setTimeout(long timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long getTimeout() {
            return 0;
        }
    }

    @AfterEach
    void close() {
        board.close();
    }

    private boolean sendEvent(String content) {
        return follower.send(content.getBytes(StandardCharsets.UTF_8));
    }

    private String written() {
        return stream.written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nothingIsWrittenBeforeTheStreamIsReady() throws IOException {
        assertFalse(sendEvent("a"));
        follower.onWritePossible();
        assertTrue(sendEvent("b"));
        assertEquals("b", written());
    }

    @Test
    void eventsAreSkippedWhileTheStreamIsNotReady() throws IOException {
        follower.onWritePossible();
        assertTrue(sendEvent("a"));
        stream.ready = false;
        assertFalse(sendEvent("b"));
        assertFalse(sendEvent("c"));
        stream.ready = true;
        assertFalse(sendEvent("d"), "events must be skipped until the container has called onWritePossible");
        follower.onWritePossible();
        assertTrue(sendEvent("e"));
        assertEquals("ae", written());
    }

    @Test
    void aDisconnectedFollowerIsRemovedAndItsAsyncContextIsCompletedOnce() throws IOException {
        assertTrue(board.follow(follower));
        follower.onWritePossible();
        stream.broken = true;
        sendEvent("a");
        assertEquals(0, board.followers());
        follower.onError(new IOException("again"));
        follower.end();
        assertEquals(1, async.completed);
        assertFalse(sendEvent("b"));
    }

    @Test
    void closingTheBoardCompletesTheAsyncContextOfEachFollower() {
        assertTrue(board.follow(follower));
        board.close();
        assertEquals(1, async.completed);
        assertFalse(board.follow(follower), "a closed board must not accept followers");
    }
}
