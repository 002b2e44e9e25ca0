package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import io.penstock.limits.ServerConfig.Redirects;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResponseBufferTest {
    private static final int BUFFER = FakeResponse.SEGMENT;

    private FakeExchange exchange = FakeExchange.of("GET /");
    private FakeAsync async = new FakeAsync(exchange);
    private ResponseState response = response();

    private ResponseState response() {
        return new ResponseState(
                exchange, exchange.response(), async, BUFFER, null, locale -> null, Redirects.ABSOLUTE);
    }

    private void request(String line) {
        exchange = FakeExchange.of(line);
        async = new FakeAsync(exchange);
        response = response();
    }

    private void complete() throws IOException {
        assertTrue(response.complete(() -> {}), "a write is still in progress");
    }

    private FakeResponse sink() {
        return exchange.response();
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) ('a' + i % 26);
        }
        return bytes;
    }

    @AfterEach
    void assertAllSegmentsReleased() {
        assertEquals(0, sink().outstanding());
    }

    @Test
    void aSmallResponseHasAContentLengthAndIsSentInOneWrite() throws IOException {
        response.outputStream().write(bytes(5));
        complete();
        assertEquals(List.of("segment 5 last"), sink().calls());
        assertEquals(5, sink().head().contentLength());
    }

    @Test
    void aBodyIsSentInOneWriteIfItExactlyFillsTheBuffer() throws IOException {
        response.outputStream().write(bytes(BUFFER));
        assertFalse(response.isCommitted());
        complete();
        assertEquals(List.of("segment 64 last"), sink().calls());
    }

    @Test
    void anEmptyResponseHasContentLengthZero() throws IOException {
        complete();
        assertEquals(0, sink().head().contentLength());
        assertEquals(List.of("finish"), sink().calls());
    }

    @Test
    void anEmptyResponseToAHeadRequestHasNoContentLength() throws IOException {
        request("HEAD /");
        complete();
        assertEquals(-1, sink().head().contentLength());
    }

    @Test
    void theResponseIsCommittedWithoutAContentLengthIfTheBodyExceedsTheBufferByOneByte() throws IOException {
        ServletOutputStream out = response.outputStream();
        out.write(bytes(BUFFER));
        out.write('!');
        assertTrue(response.isCommitted());
        assertEquals(-1, sink().head().contentLength());
        complete();
        assertEquals(List.of("segment 64", "segment 1 last"), sink().calls());
    }

    @Test
    void aLargeArrayFillsTheBufferAndTheRemainingBytesAreWrittenDirectly() throws IOException {
        response.outputStream().write(bytes(1000));
        complete();
        assertEquals(List.of("segment 64", "buffer 936", "finish"), sink().calls());
        assertEquals(new String(bytes(1000), StandardCharsets.US_ASCII), sink().text());
    }

    @Test
    void aLargeByteBufferIsWrittenDirectlyAfterTheBufferedBytes() throws IOException {
        ServletOutputStream out = response.outputStream();
        out.write(bytes(3));
        ByteBuffer block = ByteBuffer.wrap(bytes(500));
        out.write(block);
        assertEquals(500, block.position());
        assertEquals(500, block.limit());
        complete();
        assertEquals(List.of("segment 3", "buffer 500", "finish"), sink().calls());
    }

    @Test
    void aBufferLargerThanASegmentConsistsOfSeveralSegments() throws IOException {
        response.resize(200);
        response.outputStream().write(bytes(150));
        assertFalse(response.isCommitted());
        complete();
        assertEquals(150, sink().head().contentLength());
        assertEquals(List.of("segment 64", "segment 64", "segment 22 last"), sink().calls());
    }

    @Test
    void bytesBeyondTheBufferSizeAreBufferedWhileMemoryIsFree() throws IOException {
        sink().mayHold(4 * BUFFER);
        assertEquals(BUFFER, response.bufferSize());
        ServletOutputStream out = response.outputStream();
        out.write(bytes(100));
        out.write(ByteBuffer.wrap(bytes(100)));
        for (int i = 200; i < 4 * BUFFER; i++) {
            out.write(i);
        }
        assertFalse(response.isCommitted());
        complete();
        assertEquals(4 * BUFFER, sink().head().contentLength());
        assertEquals(List.of("segment 64", "segment 64", "segment 64", "segment 64 last"), sink().calls());
    }

    @Test
    void bytesBeyondTheBufferSizeAreSentWhenMemoryIsLow() throws IOException {
        sink().mayHold(4 * BUFFER);
        response.outputStream().write(bytes(2 * BUFFER));
        sink().mayHold(0);
        assertFalse(response.isCommitted());
        response.outputStream().write('!');
        assertTrue(response.isCommitted());
        complete();
        assertEquals(List.of("segment 64", "segment 64", "segment 1 last"), sink().calls());
    }

    @Test
    void aBufferSizeSetByTheApplicationIsUsedEvenIfMemoryIsLow() throws IOException {
        sink().mayHold(0);
        response.resize(3 * BUFFER);
        response.outputStream().write(bytes(3 * BUFFER));
        assertFalse(response.isCommitted());
        response.outputStream().write('!');
        assertTrue(response.isCommitted());
        complete();
    }

    @Test
    void theBufferSizeCannotBeChangedAfterAWrite() throws IOException {
        response.outputStream().write(1);
        assertThrows(IllegalStateException.class, () -> response.resize(500));
        complete();
    }

    @Test
    void theWriterCanBeUsedAfterTheStreamIfResetHasDiscardedTheBufferedBytes() throws IOException {
        response.outputStream().write(bytes(10));
        response.reset();
        response.writer().print("text");
        complete();
        assertEquals("text", sink().text());
    }

    @Test
    void resetAndResetBufferThrowAnExceptionAfterTheCommit() throws IOException {
        response.flush();
        assertThrows(IllegalStateException.class, response::reset);
        assertThrows(IllegalStateException.class, response::resetBuffer);
        complete();
    }

    @Test
    void theWriteThatReachesTheDeclaredContentLengthLosesTheBytesBeyond() throws IOException {
        response.declareLength(4);
        ServletOutputStream out = response.outputStream();
        out.write(bytes(3));
        assertFalse(response.isClosed());
        out.write(bytes(10));
        assertTrue(response.isClosed());
        out.write(new byte[0]);
        assertEquals(List.of(), sink().calls(), "bytes were sent before the response was completed");
        complete();
        assertEquals(List.of("segment 4 last"), sink().calls());
        assertEquals("abca", sink().text());
        assertEquals(4, sink().head().contentLength());
    }

    @Test
    void writesAfterTheDeclaredContentLengthAreRefusedAndTheCompleteBodyIsSent() throws IOException {
        response.declareLength(4);
        ServletOutputStream out = response.outputStream();
        out.write(bytes(4));
        assertThrows(RefusedWriteException.class, () -> out.write(1));
        assertThrows(RefusedWriteException.class, () -> out.write(bytes(10)));
        assertEquals(List.of("segment 4 last", "flush"), sink().calls());
        complete();
        assertEquals("abcd", sink().text());
        assertEquals(4, sink().head().contentLength());
    }

    @Test
    void aResponseIsAbortedIfItsBodyIsShorterThanTheDeclaredLength() throws IOException {
        response.declareLength(10);
        response.outputStream().write(bytes(3));
        complete();
        assertNotNull(sink().aborted());
    }

    @Test
    void aResponseToAHeadRequestCanDeclareALengthWithoutABody() throws IOException {
        request("HEAD /");
        response.declareLength(10);
        complete();
        assertEquals(10, sink().head().contentLength());
        assertEquals(List.of("finish"), sink().calls());
    }

    @Test
    void closingTheStreamEndsTheResponseAndLaterWritesFail() throws IOException {
        ServletOutputStream out = response.outputStream();
        out.write(bytes(3));
        out.close();
        assertEquals(List.of("segment 3 last", "flush"), sink().calls());
        assertThrows(IOException.class, () -> out.write(1));
        complete();
    }

    @Test
    void closingTheStreamInAsynchronousModeSendsTheBytesButDoesNotEndTheResponse() throws IOException {
        response.deferEnd();
        ServletOutputStream out = response.outputStream();
        out.write(bytes(3));
        out.close();
        assertEquals(List.of("segment 3", "flush"), sink().calls());
        assertEquals(3, sink().head().contentLength());
        complete();
        assertEquals(List.of("segment 3", "flush", "finish"), sink().calls());
    }

    @Test
    void trailersAreSentAfterABodyWithoutAContentLength() throws IOException {
        response.trailers(() -> Map.of("digest", "x"));
        response.outputStream().write(bytes(3));
        complete();
        assertEquals(-1, sink().head().contentLength());
        assertEquals("x", sink().trailers().first("Digest"));
    }

    @Test
    void writesAfterTheEndOfTheResponseThrowAnException() throws IOException {
        ServletOutputStream out = response.outputStream();
        complete();
        List<String> before = List.copyOf(sink().calls());
        assertThrows(IOException.class, () -> out.write(bytes(10)));
        assertThrows(IOException.class, () -> out.write(ByteBuffer.wrap(bytes(100))));
        out.flush();
        out.close();
        assertEquals(before, sink().calls());
    }

    @Test
    void sendErrorDiscardsTheBufferedBytesAndLaterWrites() throws IOException {
        response.outputStream().write(bytes(10));
        response.sendError(418, "no coffee");
        response.outputStream().write(bytes(10));
        assertTrue(response.isCommitted());
        assertFalse(response.isOnTheWire());
        assertEquals(new SentError(418, "no coffee"), response.takeError());
        response.startOver(418);
        response.outputStream().write(bytes(1));
        complete();
        assertEquals("a", sink().text());
        assertEquals(418, sink().status());
    }

    @Test
    void writesFailAndReleaseTheirSegmentsAfterTheClientHasDisconnected() throws IOException {
        ServletOutputStream out = response.outputStream();
        out.write(bytes(10));
        sink().fail(new IOException("reset by peer"));
        assertThrows(IOException.class, out::flush);
        assertThrows(IOException.class, () -> out.write(bytes(200)));
        complete();
        assertTrue(response.hasFailed());
    }

    @Test
    void aFailedWriteAbortsTheResponse() throws IOException {
        ServletOutputStream out = response.outputStream();
        IOException interrupted = new IOException("interrupted while waiting for the client");
        sink().fail(interrupted);
        assertThrows(IOException.class, () -> out.write(bytes(200)));
        complete();
        assertSame(interrupted, sink().aborted());
    }

    @Test
    void anExceptionOfTheTrailerSupplierAbortsTheResponse() throws IOException {
        for (Throwable thrown : List.of(
                new IllegalArgumentException("no value"), new IllegalStateException("not yet"), new AssertionError())) {
            request("GET /");
            response.trailers(() -> {
                throw rethrown(thrown);
            });
            ServletOutputStream out = response.outputStream();
            out.write(bytes(3));
            assertSame(thrown, assertThrows(thrown.getClass(), out::close));
            complete();
            assertNotNull(sink().aborted());
            assertFalse(
                    response.hasFailed(),
                    "the exception of the application is reported as a failure of the connection");
        }
    }

    private static RuntimeException rethrown(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }

    @Test
    void anAbortEndsTheResponseWithoutACommit() throws IOException {
        ServletOutputStream out = response.outputStream();
        IOException cause = new IOException("enough");
        response.abort(cause);
        assertTrue(response.isEnded() && response.isClosed());
        assertFalse(response.isCommitted() || response.isOnTheWire());
        RefusedWriteException refused = assertThrows(RefusedWriteException.class, () -> out.write(1));
        assertSame(cause, refused.getCause());
        assertFalse(response.hasFailed());
    }

    @Test
    void aCompleteBodyIsNoLongerClosedIfItsEndIsDeferred() throws IOException {
        response.outputStream().write(bytes(3));
        response.end();
        assertTrue(response.isClosed());
        response.deferEnd();
        assertFalse(response.isClosed());
        response.outputStream().flush();
        assertTrue(response.isOnTheWire());
        assertFalse(response.isClosed());
    }

    @Test
    void anAbortReleasesTheBuffer() throws IOException {
        response.outputStream().write(bytes(10));
        response.abort(new IOException("enough"));
        assertEquals(List.of(), sink().calls());
    }

    @Test
    void theOutputStreamCannotBeUsedAfterTheWriter() throws IOException {
        response.writer();
        assertThrows(IllegalStateException.class, response::outputStream);
        complete();
    }

    @Test
    void theWriterEncodesASurrogatePairThatIsSplitBetweenTwoWrites() throws IOException {
        response.content().type("text/plain;charset=UTF-8");
        PrintWriter writer = response.writer();
        writer.write('\ud83d');
        writer.write('\ude00');
        writer.print("é");
        complete();
        assertEquals("\ud83d\ude00é", sink().text());
    }

    @Test
    void textOfSeveralWritesIsEncodedInACharsetWithEscapeSequences() throws IOException {
        response.content().type("text/plain;charset=ISO-2022-JP");
        response.writer().print("日本");
        response.writer().print("語");
        complete();
        assertEquals("日本語", new String(sink().bytes(), java.nio.charset.Charset.forName("ISO-2022-JP")));
    }

    @Test
    void aWriteListenerIsCalledOnlyWhileTheClientAcceptsBytes() throws IOException {
        sink().limitRoom(0);
        async.start();
        response.deferEnd();
        ServletOutputStream out = response.outputStream();
        List<String> heard = new ArrayList<>();
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                heard.add("possible");
                out.write(bytes(100));
                heard.add(out.isReady() ? "ready" : "full");
            }

            @Override
            public void onError(Throwable t) {
                heard.add("error " + t.getCause().getMessage());
            }
        });
        exchange.runJobs();
        assertEquals(List.of(), heard);
        sink().limitRoom(10);
        exchange.runJobs();
        assertEquals(List.of("possible", "full"), heard);
        assertThrows(IllegalStateException.class, () -> out.write(1));
        sink().limitRoom(10);
        exchange.runJobs();
        assertEquals(List.of("possible", "full", "possible", "full"), heard);
        sink().fail(new IOException("gone"));
        sink().limitRoom(1000);
        exchange.runJobs();
        assertEquals("error gone", heard.get(4));
        response.abort(new IOException("gone"));
    }

    @Test
    void aWriteListenerIsNotCalledWhenThePendingBytesHaveUsedUpTheRoom() throws IOException {
        sink().limitRoom(10);
        async.start();
        response.deferEnd();
        ServletOutputStream out = response.outputStream();
        List<String> heard = new ArrayList<>();
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                out.write(bytes(3 * BUFFER));
                heard.add(out.isReady() ? "ready" : "full");
            }

            @Override
            public void onError(Throwable t) {
                heard.add("error " + t.getMessage());
            }
        });
        exchange.runJobs();
        assertEquals(List.of("full"), heard);
        sink().limitRoom(2 * BUFFER - 1); // all pending bytes are handed over, and no more can be
        exchange.runJobs();
        assertEquals(List.of("full"), heard);
        sink().limitRoom(1000);
        exchange.runJobs();
        assertEquals(List.of("full", "ready"), heard);
        response.abort(new IOException("the end of the test"));
    }

    /** An abort by the connection must not look as if the pending bytes had been sent. */
    @Test
    void aWriteListenerIsToldThatPendingBytesAreLostByAnAbort() throws IOException {
        sink().limitRoom(10);
        async.start();
        response.deferEnd();
        ServletOutputStream out = response.outputStream();
        List<String> heard = new ArrayList<>();
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                heard.add("possible");
                out.write(bytes(3 * BUFFER));
                heard.add(out.isReady() ? "ready" : "full");
            }

            @Override
            public void onError(Throwable t) {
                heard.add("error");
            }
        });
        exchange.runJobs();
        assertEquals(List.of("possible", "full"), heard);
        sink().abort(new IOException("reset by peer"));
        sink().limitRoom(1000);
        exchange.runJobs();
        assertEquals(List.of("possible", "full", "error"), heard);
    }

    @Test
    void theCompletionOfTheResponseWaitsForNonBlockingWrites() throws IOException {
        async.start();
        response.deferEnd();
        ServletOutputStream out = response.outputStream();
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                sink().limitRoom(1);
                out.write(bytes(300));
            }

            @Override
            public void onError(Throwable t) {
                throw new AssertionError(t);
            }
        });
        exchange.runJobs();
        List<String> ended = new ArrayList<>();
        assertFalse(response.isWritten(() -> ended.add("written")));
        sink().limitRoom(1000);
        exchange.runJobs();
        assertEquals(List.of("written"), ended);
        assertTrue(response.isWritten(() -> ended.add("again")));
        complete();
        assertEquals(new String(bytes(300), StandardCharsets.US_ASCII), sink().text());
    }

    /** Runs {@code part} in another thread, and waits for its result. */
    private static <T> T onWorker(Callable<T> part) throws IOException {
        FutureTask<T> task = new FutureTask<>(part);
        new Thread(task, "worker").start();
        try {
            return task.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e);
        }
    }

    @Test
    void aNewWriteFailsAfterTheCompletionOfTheResponseHasBegun() throws IOException {
        Runnable proceed = () -> {};
        List<Boolean> written = new ArrayList<>();
        response.whenLeaving(() -> {
            // This action runs during the first write.
            if (written.isEmpty()) {
                assertDoesNotThrow(() -> written.add(onWorker(() -> response.isWritten(proceed))));
            }
        });
        ServletOutputStream stream = response.outputStream();
        stream.write(bytes(BUFFER + 1));
        written.add(onWorker(() -> response.isWritten(proceed)));
        assertEquals(List.of(false, true), written);
        assertThrows(
                IOException.class,
                () -> stream.write(bytes(1)),
                "a new write was accepted after the completion had begun");
        assertTrue(onWorker(() -> response.complete(proceed)));
        assertEquals(BUFFER + 1, sink().bytes().length);
        assertTrue(sink().isEnded());
    }

    @Test
    void aNewWriteIsAcceptedAfterAnotherDispatchHasBegun() throws IOException {
        Runnable proceed = () -> {};
        List<Boolean> written = new ArrayList<>();
        response.whenLeaving(() -> {
            // This action runs during the first write.
            if (written.isEmpty()) {
                assertDoesNotThrow(() -> written.add(onWorker(() -> response.isWritten(proceed))));
            }
        });
        ServletOutputStream stream = response.outputStream();
        stream.write(bytes(BUFFER + 1));
        written.add(onWorker(() -> response.isWritten(proceed)));
        assertEquals(List.of(false, true), written);
        response.admitWriters();
        stream.write(bytes(1));
        complete();
        assertEquals(BUFFER + 2, sink().bytes().length);
    }

    @Test
    void fieldsAreRejectedIfTheyMustNotBeTrailers() {
        for (String name : List.of("Content-Length", "transfer-encoding", "Host", "Set-Cookie", "TRAILER")) {
            assertThrows(IllegalArgumentException.class, () -> ResponseFields.trailers(Map.of(name, "1")), name);
        }
    }

    @Test
    void aTrailerWithANullValueIsRejected() {
        Map<String, String> trailers = new HashMap<>();
        trailers.put("Digest", null);
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> ResponseFields.trailers(trailers));
        assertTrue(e.getMessage().contains("Digest"), e.getMessage());
    }
}
