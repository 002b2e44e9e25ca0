package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a {@link Conversation} and a {@link HttpConnection.Listener} whose methods throw exceptions. */
@Timeout(120)
class FailingConversationTest {
    private enum ThrowingMethod {
        OPEN,
        BYTES,
        SENT,
        END,
        NONE
    }

    private final DrivenLoop driven = new DrivenLoop();
    private final List<String> log = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();
    private Thread.UncaughtExceptionHandler previousHandler;

    @BeforeEach
    void recordUncaughtExceptions() {
        previousHandler = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> reported.add(failure.getMessage()));
    }

    @AfterEach
    void stop() {
        driven.close();
        Thread.currentThread().setUncaughtExceptionHandler(previousHandler);
    }

    @ParameterizedTest
    @EnumSource(
            value = ThrowingMethod.class,
            names = {"OPEN", "BYTES", "SENT"})
    void anExceptionInAConversationClosesOnlyItsOwnConnection(ThrowingMethod throwingMethod) throws Exception {
        driven.loop.open(driven.address(), new ThrowingConversation(throwingMethod));
        Wire other = driven.loop.open(driven.address(), new ThrowingConversation(ThrowingMethod.NONE));
        DrivenLoop.Peer first = driven.accept();
        DrivenLoop.Peer second = driven.accept();
        first.send("x");
        second.send("x");
        driven.until(() -> log.contains(throwingMethod + " HANDLER_FAILED") && log.contains("NONE bytes"));
        assertTrue(!other.isClosed());
        assertEquals(1, driven.loop.connections());
        assertEquals(List.of(), reported);
    }

    @Test
    void anExceptionInOnEndIsReportedToTheUncaughtExceptionHandler() throws Exception {
        driven.loop.open(driven.address(), new ThrowingConversation(ThrowingMethod.END));
        driven.accept().close();
        driven.until(() -> !reported.isEmpty());
        assertEquals(List.of("END on purpose"), reported);
        assertEquals(0, driven.loop.connections());
    }

    @Test
    void anExceptionInAListenerIsReportedToTheUncaughtExceptionHandler() throws Exception {
        HttpConnection.open(driven.loop, driven.address(), (connection, cause) -> {
            throw new IllegalStateException("listener on purpose");
        });
        driven.accept().reset();
        driven.until(() -> !reported.isEmpty());
        assertEquals(List.of("listener on purpose"), reported);
    }

    private final class ThrowingConversation implements Conversation {
        private final ThrowingMethod throwingMethod;

        ThrowingConversation(ThrowingMethod throwingMethod) {
            this.throwingMethod = throwingMethod;
        }

        @Override
        public void onOpen(Wire wire) {
            throwIf(ThrowingMethod.OPEN);
            wire.send(ByteBuffer.allocate(1));
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) {
            throwIf(ThrowingMethod.BYTES);
            log.add(throwingMethod + " bytes");
        }

        @Override
        public void onSent(Wire wire) {
            throwIf(ThrowingMethod.SENT);
        }

        @Override
        public void onEnd(Wire wire, CallException cause) {
            throwIf(ThrowingMethod.END);
            log.add(throwingMethod + " " + cause.failure());
        }

        private void throwIf(ThrowingMethod here) {
            if (throwingMethod == here) {
                throw new IllegalStateException(throwingMethod + " on purpose");
            }
        }
    }
}
