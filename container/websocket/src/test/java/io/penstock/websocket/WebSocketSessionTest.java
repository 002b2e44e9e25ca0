package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.websocket.frame.FrameConnection;
import io.penstock.websocket.frame.Transport;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a session whose transport takes all bytes, and whose jobs run when the test says so. */
class WebSocketSessionTest {
    private static final CloseReason LEAVING = new CloseReason(CloseCodes.GOING_AWAY, "");

    private final List<String> events = new ArrayList<>();
    private final Queue<Runnable> jobs = new ArrayDeque<>();
    private final FrameConnection connection = new FrameConnection(FrameConnection.Side.SERVER, new Taking(), null);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private Consumer<Session> whenFailed = failed -> {};
    private WebSocketSession session;

    private final class Taking implements Transport {
        @Override
        public void write(ByteBuffer head, ByteBuffer payload, boolean mayWait) {
            for (ByteBuffer bytes : List.of(head, payload)) {
                byte[] taken = new byte[bytes.remaining()];
                bytes.get(taken);
                sent.writeBytes(taken);
            }
        }

        @Override
        public boolean awaitRoom(long nanos) {
            return true;
        }

        @Override
        public void whenRoom(Runnable action) {
            jobs.add(action);
        }

        @Override
        public void work(Runnable action) {
            jobs.add(action);
        }

        @Override
        public void execute(Runnable job) {
            jobs.add(job);
        }

        @Override
        public Future<?> after(long millis, Runnable action) {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}

        @Override
        public void abort(Throwable cause) {}
    }

    private final class Recording extends Endpoint {
        @Override
        public void onOpen(Session opened, EndpointConfig config) {
            events.add("open");
        }

        @Override
        public void onClose(Session closed, CloseReason reason) {
            events.add("close " + reason.getCloseCode().getCode());
        }

        @Override
        public void onError(Session failed, Throwable failure) {
            events.add("error " + failure.getMessage());
            whenFailed.accept(failed);
            throw new IllegalStateException("as the test wants");
        }
    }

    @BeforeEach
    void create() throws Exception {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create().build();
        Map<String, Object> properties = new HashMap<>();
        session = new WebSocketSession(
                new ClientContainer(1),
                EndpointDefinition.of(config, Recording.class),
                EndpointCallbacks.of(new Recording()),
                new WebSocketSession.Handshake(
                        "ws://localhost/a",
                        null,
                        new HashMap<>(Map.of("room", "a")),
                        false,
                        null,
                        "",
                        List.of(),
                        config,
                        () -> properties));
        connection.listen(session);
    }

    private void runJobs() {
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
        }
    }

    /** As a logout that happens during the handshake. */
    @Test
    void aCloseAtTheMomentAtWhichTheSessionOpensClosesTheConnection() throws Exception {
        Thread closing = new Thread(() -> session.close(LEAVING));
        synchronized (session) { // the state changes with this lock
            closing.start();
            while (closing.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            session.open(connection);
        }
        closing.join();
        assertFalse(connection.isOpen());
        runJobs();
        assertEquals(List.of("open", "close 1001"), events);
    }

    @Test
    void aCloseWithoutAReasonIsRefusedAndTheSessionStaysOpen() {
        session.open(connection);
        assertThrows(IllegalArgumentException.class, () -> session.close(null));
        assertTrue(session.isOpen());
        session.close(LEAVING);
        runJobs();
        assertEquals(List.of("open", "close 1001"), events);
    }

    @Test
    void thePathParametersCannotBeChanged() {
        session.open(connection);
        assertThrows(UnsupportedOperationException.class, () -> session.getPathParameters()
                .put("room", "b"));
        assertEquals(Map.of("room", "a"), session.getPathParameters());
    }

    @Test
    void anExceptionOfTheErrorHandlerIsNotGivenToTheErrorHandler() {
        session.open(connection);
        session.onError(new IOException("a wrong frame"));
        assertEquals(List.of("open", "error a wrong frame"), events);
    }

    /** Whatever the endpoint does when it is told, nothing follows the close frame, and its code stays (RFC 6455 section 7.1.7). */
    @Test
    void theCloseFrameOfAViolationLeavesBeforeTheEndpointIsTold() {
        session.open(connection);
        whenFailed = failed -> {
            assertTrue(HexFormat.of().formatHex(sent.toByteArray()).matches("88..03ea.*"), "the close frame");
            events.add(failed.isOpen() ? "is open" : "is closed");
            assertThrows(IOException.class, () -> failed.getBasicRemote().sendText("an explanation"));
            try {
                failed.close(new CloseReason(CloseCodes.UNEXPECTED_CONDITION, ""));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        connection.received(ByteBuffer.wrap(HexFormat.of().parseHex("838000000000")));
        runJobs();
        assertEquals(List.of("open", "error The opcode is reserved.", "is closed", "close 1002"), events);
        assertEquals(sent.toByteArray()[1] + 2, sent.size(), "bytes behind the close frame");
    }
}
