package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class ClientLoopTest {
    @RegisterExtension
    private final LoopWithServer ends = new LoopWithServer(1);

    @Test
    void receivedBytesArePassedToTheConversationUntilTheServerClosesTheConnection() throws Exception {
        Recorder recorder = new Recorder();
        onLoop(() -> ends.loop().open(address(), recorder));
        try (Socket peer = ends.accept()) {
            assertEquals("hello", new String(peer.getInputStream().readNBytes(5), StandardCharsets.US_ASCII));
            OutputStream out = peer.getOutputStream();
            out.write("good day".getBytes(StandardCharsets.US_ASCII));
        }
        assertEquals(Failure.CLOSED_EARLY, recorder.end.get().failure());
        assertEquals("good day", recorder.received.toString());
    }

    @Test
    void allBytesAreSentEvenIfTheyDoNotFitIntoTheSocketBuffer() throws Exception {
        int length = 20 << 20;
        Recorder recorder = new Recorder();
        Wire wire = onLoop(() -> ends.loop().open(address(), recorder));
        try (Socket peer = ends.accept()) {
            onLoop(() -> {
                wire.send(ByteBuffer.allocate(length));
                return "sent";
            });
            assertEquals(5 + length, peer.getInputStream().readNBytes(5 + length).length);
        }
    }

    @Test
    void aRefusedConnectionIsReported() throws Exception {
        Recorder recorder = new Recorder();
        InetSocketAddress nobody = address();
        ends.server().close();
        onLoop(() -> ends.loop().open(nobody, recorder));
        assertEquals(Failure.CONNECT_REFUSED, recorder.end.get().failure());
    }

    @Test
    void theLoopRefusesAConnectionBeyondItsLimit() throws Exception {
        onLoop(() -> ends.loop().open(address(), new Recorder()));
        ExecutionException failure = assertThrows(
                ExecutionException.class, () -> onLoop(() -> ends.loop().open(address(), new Recorder())));
        assertEquals("There are already 1 connections", failure.getCause().getMessage());
    }

    @Test
    void aConnectionCanBeOpenedAfterAnotherConnectionIsClosed() throws Exception {
        for (int i = 0; i < 5; i++) {
            onLoop(() -> {
                ends.loop().open(address(), new Recorder()).close();
                return "closed";
            });
        }
    }

    @Test
    void timedTasksRunInTheOrderOfTheirTimes() throws Exception {
        List<String> ran = new ArrayList<>();
        CompletableFuture<List<String>> all = new CompletableFuture<>();
        onLoop(() -> {
            ends.loop().after(20, () -> all.complete(ran));
            ends.loop().after(10, () -> ran.add("second"));
            ends.loop().after(0, () -> ran.add("first"));
            return "set";
        });
        assertEquals(List.of("first", "second"), all.get());
    }

    @Test
    void theLoopIsStoppedAndTheExceptionIsReportedIfATaskThrowsAnException() {
        ends.loop().execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        ExecutionException failure =
                assertThrows(ExecutionException.class, () -> ends.loop().ended().get(60, TimeUnit.SECONDS));
        assertEquals("on purpose", failure.getCause().getMessage());
    }

    @Test
    void closingTheLoopClosesItsConnections() throws Exception {
        onLoop(() -> ends.loop().open(address(), new Recorder()));
        try (Socket peer = ends.accept()) {
            assertEquals(5, peer.getInputStream().readNBytes(5).length);
            ends.loop().close();
            assertEquals(-1, peer.getInputStream().read());
        }
        assertTrue(ends.loop().ended().isDone());
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) ends.server().getLocalSocketAddress();
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        ends.loop().execute(() -> {
            try {
                outcome.complete(task.call());
            } catch (Exception failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome.get(60, TimeUnit.SECONDS);
    }

    /** Sends a greeting when the connection is open. Then it records the received bytes and the end of the connection. */
    private static final class Recorder implements Conversation {
        final StringBuilder received = new StringBuilder();
        final CompletableFuture<CallException> end = new CompletableFuture<>();

        @Override
        public void onOpen(Wire wire) {
            wire.send(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) {
            received.append(StandardCharsets.US_ASCII.decode(bytes));
        }

        @Override
        public void onEnd(Wire wire, CallException cause) {
            end.complete(cause);
        }
    }
}
