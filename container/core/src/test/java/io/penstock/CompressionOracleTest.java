package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A servlet writes random streams with random flushes, and a client decodes the streams with the JDK. The client must get exactly the bytes
 * that the servlet has written. After each flush, the client must be able to decode all bytes that the servlet has written so far. The
 * servlet waits until the client has decoded these bytes. Then the servlet writes the next bytes.
 *
 * <p>The system properties {@code penstock.compression.streams} and {@code penstock.compression.seed} set the number of streams and the
 * seed.
 */
class CompressionOracleTest {
    private static final int STREAMS = Integer.getInteger("penstock.compression.streams", 3_000);

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    private final long firstSeed = Long.getLong("penstock.compression.seed", System.nanoTime());
    private final Decoded decoded = new Decoded();

    /** Counts the bytes that the client has decoded in the current stream. */
    private static final class Decoded {
        private long seed;
        private long bytes;
        private @Nullable String failure;

        synchronized void begin(long next) {
            seed = next;
            bytes = 0;
            notifyAll();
        }

        synchronized void set(long count) {
            bytes = count;
            notifyAll();
        }

        /**
         * Waits until the client has decoded {@code count} bytes of the stream with the seed {@code streamSeed}. If all bytes of the
         * declared length are flushed, the client can already begin the next stream. Then this method returns, too.
         */
        synchronized void await(long streamSeed, long count) throws IOException {
            long end = System.nanoTime() + PromptWaits.PATIENCE.toNanos();
            while (seed == streamSeed && bytes < count) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    failure = "the servlet flushed " + count + " bytes, but the client could decode only " + bytes;
                    throw new IOException(failure);
                }
                try {
                    wait(1 + left / 1_000_000);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }

        synchronized @Nullable String failure() {
            return failure;
        }
    }

    private final class Streams extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            RandomStream stream = RandomStream.of(Long.parseLong(request.getParameter("seed")));
            response.setContentType("text/event-stream;charset=ISO-8859-1");
            if (stream.declared()) {
                response.setContentLength(stream.content().length);
            }
            switch (stream.way()) {
                case STREAM ->
                    write(stream, response, bytes -> response.getOutputStream().write(bytes));
                case BYTE_BY_BYTE ->
                    write(stream, response, bytes -> {
                        for (byte b : bytes) {
                            response.getOutputStream().write(b);
                        }
                    });
                case BUFFERS ->
                    write(stream, response, bytes -> response.getOutputStream().write(ByteBuffer.wrap(bytes)));
                case WRITER -> {
                    PrintWriter writer = response.getWriter();
                    write(stream, response, bytes -> writer.print(new String(bytes, StandardCharsets.ISO_8859_1)));
                }
                case NON_BLOCKING -> writeNonBlocking(stream, request, response);
            }
        }

        private interface Write {
            void of(byte[] bytes) throws IOException;
        }

        private void write(RandomStream stream, HttpServletResponse response, Write write) throws IOException {
            for (RandomStream.Step step : stream.steps()) {
                write.of(step.bytes());
                if (step.flushedAt() >= 0) {
                    response.flushBuffer();
                    decoded.await(stream.seed(), step.flushedAt());
                }
            }
        }

        private void writeNonBlocking(RandomStream stream, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            AsyncContext async = request.startAsync();
            ServletOutputStream out = response.getOutputStream();
            Iterator<RandomStream.Step> steps = stream.steps().iterator();
            out.setWriteListener(new WriteListener() {
                RandomStream.@Nullable Step written;

                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        RandomStream.Step last = written;
                        if (last != null && last.flushedAt() >= 0) {
                            written = null;
                            out.flush();
                            // If the output stream is not ready, bytes remain that this thread must send later. So this
                            // thread must not wait here.
                            if (out.isReady()) {
                                decoded.await(stream.seed(), last.flushedAt());
                            }
                        } else if (steps.hasNext()) {
                            written = steps.next();
                            out.write(written.bytes());
                        } else {
                            async.complete();
                            return;
                        }
                    }
                }

                @Override
                public void onError(Throwable t) {
                    async.complete();
                }
            });
        }
    }

    @Test
    void theClientDecodesExactlyTheWrittenBytes() throws Exception {
        int compressed = 0;
        int lengths = 0;
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(4)
                .set("compression", "on")
                .context("/", context -> context.servlet("streams", new Streams(), "/"))
                .start()) {
            try (DecodingClient client = new DecodingClient(server)) {
                for (int i = 0; i < STREAMS; i++) {
                    long seed = firstSeed + i;
                    DecodingClient.Response answer = ask(client, seed);
                    compressed += answer.isCompressed() ? 1 : 0;
                    lengths += answer.isCompressed() && !answer.lines().contains("Transfer-Encoding: chunked") ? 1 : 0;
                }
            }
            nothingLeft.awaitIn(server);
            await().until(() -> server.gauges().get(Gauge.COMPRESSORS.id()) == 0);
            assertEquals(0, server.counters().get(Counter.COMPRESSORS_BUSY.id()));
        }
        assertNull(decoded.failure());
        assertTrue(compressed > STREAMS / 2, compressed + " compressed responses; first seed " + firstSeed);
        assertTrue(lengths > STREAMS / 20, lengths + " responses with Content-Length; first seed " + firstSeed);
    }

    private DecodingClient.Response ask(DecodingClient client, long seed) {
        RandomStream stream = RandomStream.of(seed);
        String again = "run again with -Dpenstock.compression.streams=1 -Dpenstock.compression.seed=" + seed;
        decoded.begin(seed);
        try {
            DecodingClient.Response answer =
                    client.get("/?seed=" + seed, stream.asked() ? "Accept-Encoding: gzip" : "Accept: */*");
            assertTrue(answer.status().startsWith("HTTP/1.1 200"), () -> answer.status() + "; " + again);
            assertTrue(stream.asked() || !answer.isCompressed(), "compressed without Accept-Encoding; " + again);
            byte[] found = new byte[stream.content().length];
            int count = 0;
            while (count < found.length) {
                int read = answer.decoded().read(found, count, found.length - count);
                assertTrue(read > 0, () -> "the body is too short; " + again);
                count += read;
                decoded.set(count);
            }
            answer.requireEnd();
            assertTrue(
                    Arrays.equals(stream.content(), found),
                    "the decoded bytes differ from the written bytes; " + again);
            return answer;
        } catch (IOException e) {
            throw new AssertionError(decoded.failure() + "; " + again, e);
        }
    }
}
