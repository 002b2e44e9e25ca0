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
    private final List<String> heard = new ArrayList<>();

    private void arrive(String text) {
        exchange.body().arrive(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads while isReady() returns true, as in the examples of the Servlet specification. */
    private class Reading implements ReadListener {
        @Override
        public void onDataAvailable() throws IOException {
            byte[] buffer = new byte[16];
            while (in.isReady()) {
                int n = in.read(buffer);
                heard.add(n < 0 ? "end" : new String(buffer, 0, n, StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void onAllDataRead() {
            heard.add("all");
        }

        @Override
        public void onError(Throwable t) {
            heard.add("error " + t.getMessage());
        }
    }

    @Test
    void readSetsPositionAndLimitOfAByteBufferToTheReadBytes() throws IOException {
        arrive("hello");
        ByteBuffer target = ByteBuffer.allocate(16);
        target.position(2);
        assertEquals(5, in.read(target));
        assertEquals(2, target.position());
        assertEquals(7, target.limit());
    }

    @Test
    void theListenerIsCalledOnceForEachArrivalAndForTheEnd() throws IOException {
        async.start();
        in.setReadListener(new Reading());
        exchange.runJobs();
        assertEquals(List.of(), heard);
        arrive("one");
        exchange.runJobs();
        arrive("two");
        exchange.runJobs();
        exchange.body().end();
        exchange.runJobs();
        assertEquals(List.of("one", "two", "all"), heard);
    }

    @Test
    void aCompleteBodyIsReadInOneCallback() throws IOException {
        async.start();
        arrive("whole");
        exchange.body().end();
        in.setReadListener(new Reading());
        exchange.runJobs();
        assertEquals(List.of("whole", "all"), heard);
        assertTrue(in.isFinished());
        assertEquals(-1, in.read());
    }

    /** Some listeners expect bytes whenever isReady() has returned true, and cannot handle a read that returns -1. */
    @Test
    void anEndOfTheBodyDuringIsReadyIsReportedByOnAllDataRead() throws IOException {
        async.start();
        in.setReadListener(new Reading() {
            @Override
            public void onDataAvailable() throws IOException {
                byte[] buffer = new byte[16];
                heard.add(new String(buffer, 0, in.read(buffer), StandardCharsets.US_ASCII));
                exchange.body().afterNextCheck(exchange.body()::end);
                assertFalse(in.isReady());
            }
        });
        arrive("one");
        exchange.runJobs();
        assertEquals(List.of("one", "all"), heard);
    }

    @Test
    void onAllDataReadIsCalledAtOnceForAnEmptyBody() {
        async.start();
        exchange.body().end();
        in.setReadListener(new Reading());
        exchange.runJobs();
        assertEquals(List.of("all"), heard);
    }

    @Test
    void aFailureOfTheBodyIsReportedByOnError() {
        async.start();
        in.setReadListener(new Reading());
        exchange.body().fail(new IOException("broken off"));
        exchange.runJobs();
        assertEquals(List.of("error broken off"), heard);
    }

    @Test
    void readingWithoutDataInNonBlockingModeIsAnIllegalState() {
        async.start();
        in.setReadListener(new Reading());
        assertThrows(IllegalStateException.class, in::read);
        assertThrows(IllegalStateException.class, in::readAllBytes);
        assertFalse(in.isReady());
    }

    @Test
    void aReadListenerNeedsAsynchronousModeAndCanBeSetOnlyOnce() {
        assertThrows(IllegalStateException.class, () -> in.setReadListener(new Reading()));
        assertThrows(NullPointerException.class, () -> in.setReadListener(null));
        async.start();
        in.setReadListener(new Reading());
        assertThrows(IllegalStateException.class, () -> in.setReadListener(new Reading()));
    }

    @Test
    void afterTheEndOfTheExchangeNothingCanBeRead() {
        arrive("secret");
        in.end();
        assertThrows(IOException.class, in::read);
        assertEquals(0, in.available());
    }
}
