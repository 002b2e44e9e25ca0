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
 * Tests a client that reads the event stream of the flow board too slowly. Such a client misses events, because the server does not store
 * them.
 */
class FollowerTest {
    private final HandStream stream = new HandStream();
    private final HandContext async = new HandContext();
    private final Board board = new Board(new QuietServer(), 2);
    private final Follower follower = new Follower(board, async, stream);

    /** A stream whose readiness the test sets. */
    private static final class HandStream extends ServletOutputStream {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        boolean ready = true;
        boolean broken;

        @Override
        public void write(int b) throws IOException {
            if (broken) {
                throw new IOException("on purpose");
            }
            taken.write(b);
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

    /** A context that counts calls of {@code complete}. */
    private static final class HandContext implements AsyncContext {
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

    private boolean tell(String moment) {
        return follower.send(moment.getBytes(StandardCharsets.UTF_8));
    }

    private String taken() {
        return stream.taken.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nothingIsWrittenBeforeTheStreamIsReady() throws IOException {
        assertFalse(tell("a"));
        follower.onWritePossible();
        assertTrue(tell("b"));
        assertEquals("b", taken());
    }

    @Test
    void eventsAreSkippedWhileTheStreamIsNotReady() throws IOException {
        follower.onWritePossible();
        assertTrue(tell("a"));
        stream.ready = false;
        assertFalse(tell("b"));
        assertFalse(tell("c"));
        stream.ready = true;
        assertFalse(tell("d"), "the container has not yet called the listener");
        follower.onWritePossible();
        assertTrue(tell("e"));
        assertEquals("ae", taken());
    }

    @Test
    void aDisconnectedFollowerIsRemovedAndCompletedOnce() throws IOException {
        assertTrue(board.follow(follower));
        follower.onWritePossible();
        stream.broken = true;
        tell("a");
        assertEquals(0, board.followers());
        follower.onError(new IOException("again"));
        follower.end();
        assertEquals(1, async.completed);
        assertFalse(tell("b"));
    }

    @Test
    void theCloseOfTheBoardCompletesItsFollowers() {
        assertTrue(board.follow(follower));
        board.close();
        assertEquals(1, async.completed);
        assertFalse(board.follow(follower), "a closed board must not accept followers");
    }
}
