package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeExchange;
import jakarta.servlet.ReadListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyInputStreamTest {
    private final FakeExchange exchange = FakeExchange.of("POST /", "Transfer-Encoding: chunked");
    private final FakeAsync async = new FakeAsync(exchange);
    private final BodyInputStream in = new BodyInputStream(exchange.body(), async);
    private final List<String> events = new ArrayList<>();

    private void arrive(String text) {
        exchange.body().arrive(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads while isReady() returns true, as in the examples of the Servlet specification. */
    private class ReadingListener implements ReadListener {
        @Override
        public void onDataAvailable() throws IOException {
            byte[] buffer = new byte[16];
            while (in.isReady()) {
                int n = in.read(buffer);
                events.add(n < 0 ? "end" : new String(buffer, 0, n, StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void onAllDataRead() {
            events.add("all");
        }

        @Override
        public void onError(Throwable t) {
            events.add("error " + t.getMessage());
        }
    }

    @Test
    void theBytesAreBetweenThePositionAndTheLimitOfTheByteBufferAfterARead() throws IOException {
        arrive("hello");
        ByteBuffer target = ByteBuffer.allocate(16);
        target.position(2);
        assertEquals(5, in.read(target));
        assertEquals(2, target.position());
        assertEquals(7, target.limit());
    }

    @Test
    void theListenerIsCalledOnceForEachPartOfTheBodyAndForTheEnd() throws IOException {
        async.start();
        in.setReadListener(new ReadingListener());
        exchange.runJobs();
        assertEquals(List.of(), events);
        arrive("one");
        exchange.runJobs();
        arrive("two");
        exchange.runJobs();
        exchange.body().end();
        exchange.runJobs();
        assertEquals(List.of("one", "two", "all"), events);
    }

    @Test
    void aCompleteBodyIsReadInOneCallback() throws IOException {
        async.start();
        arrive("whole");
        exchange.body().end();
        in.setReadListener(new ReadingListener());
        exchange.runJobs();
        assertEquals(List.of("whole", "all"), events);
        assertTrue(in.isFinished());
        assertEquals(-1, in.read());
    }

    /** Some listeners cannot handle a read that returns -1. So isReady() must return false if the body ends while isReady() runs. */
    @Test
    void onAllDataReadIsCalledIfTheBodyEndsDuringACallOfIsReady() throws IOException {
        async.start();
        in.setReadListener(new ReadingListener() {
            @Override
            public void onDataAvailable() throws IOException {
                byte[] buffer = new byte[16];
                events.add(new String(buffer, 0, in.read(buffer), StandardCharsets.US_ASCII));
                exchange.body().afterNextCheck(exchange.body()::end);
                assertFalse(in.isReady());
            }
        });
        arrive("one");
        exchange.runJobs();
        assertEquals(List.of("one", "all"), events);
    }

    @Test
    void onAllDataReadIsCalledAtOnceForAnEmptyBody() {
        async.start();
        exchange.body().end();
        in.setReadListener(new ReadingListener());
        exchange.runJobs();
        assertEquals(List.of("all"), events);
    }

    @Test
    void onErrorIsCalledIfTheBodyFails() {
        async.start();
        in.setReadListener(new ReadingListener());
        exchange.body().fail(new IOException("broken off"));
        exchange.runJobs();
        assertEquals(List.of("error broken off"), events);
    }

    @Test
    void aReadWithoutDataInNonBlockingModeThrowsIllegalStateException() {
        async.start();
        in.setReadListener(new ReadingListener());
        assertThrows(IllegalStateException.class, in::read);
        assertThrows(IllegalStateException.class, in::readAllBytes);
        assertFalse(in.isReady());
    }

    @Test
    void aReadListenerCanBeSetOnlyInAsynchronousModeAndOnlyOnce() {
        assertThrows(IllegalStateException.class, () -> in.setReadListener(new ReadingListener()));
        assertThrows(NullPointerException.class, () -> in.setReadListener(null));
        async.start();
        in.setReadListener(new ReadingListener());
        assertThrows(IllegalStateException.class, () -> in.setReadListener(new ReadingListener()));
    }

    @Test
    void aReadAfterTheEndOfTheExchangeThrowsIoException() {
        arrive("secret");
        in.end();
        assertThrows(IOException.class, in::read);
        assertEquals(0, in.available());
    }
}
