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

/** Tests conversations and listeners that throw exceptions. */
@Timeout(120)
class FailingConversationTest {
    private enum Place {
        OPEN,
        BYTES,
        SENT,
        END,
        NOWHERE
    }

    private final DrivenLoop driven = new DrivenLoop();
    private final List<String> log = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();
    private Thread.UncaughtExceptionHandler before;

    @BeforeEach
    void listen() {
        before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> reported.add(failure.getMessage()));
    }

    @AfterEach
    void stop() {
        driven.close();
        Thread.currentThread().setUncaughtExceptionHandler(before);
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"OPEN", "BYTES", "SENT"})
    void onlyTheFailingConversationEnds(Place place) throws Exception {
        driven.loop.open(driven.address(), new Throwing(place));
        Wire other = driven.loop.open(driven.address(), new Throwing(Place.NOWHERE));
        DrivenLoop.Peer first = driven.accept();
        DrivenLoop.Peer second = driven.accept();
        first.send("x");
        second.send("x");
        driven.until(() -> log.contains(place + " HANDLER_FAILED") && log.contains("NOWHERE bytes"));
        assertTrue(!other.isClosed());
        assertEquals(1, driven.loop.connections());
        assertEquals(List.of(), reported);
    }

    @Test
    void anExceptionAtTheEndOfAConversationIsReported() throws Exception {
        driven.loop.open(driven.address(), new Throwing(Place.END));
        driven.accept().close();
        driven.until(() -> !reported.isEmpty());
        assertEquals(List.of("END on purpose"), reported);
        assertEquals(0, driven.loop.connections());
    }

    @Test
    void anExceptionOfAListenerIsReportedAndTheLoopContinues() throws Exception {
        HttpConnection.open(driven.loop, driven.address(), (connection, cause) -> {
            throw new IllegalStateException("listener on purpose");
        });
        driven.accept().reset();
        driven.until(() -> !reported.isEmpty());
        assertEquals(List.of("listener on purpose"), reported);
    }

    private final class Throwing implements Conversation {
        private final Place place;

        Throwing(Place place) {
            this.place = place;
        }

        @Override
        public void onOpen(Wire wire) {
            throwIf(Place.OPEN);
            wire.send(ByteBuffer.allocate(1));
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) {
            throwIf(Place.BYTES);
            log.add(place + " bytes");
        }

        @Override
        public void onSent(Wire wire) {
            throwIf(Place.SENT);
        }

        @Override
        public void onEnd(Wire wire, CallException cause) {
            throwIf(Place.END);
            log.add(place + " " + cause.failure());
        }

        private void throwIf(Place here) {
            if (place == here) {
                throw new IllegalStateException(place + " on purpose");
            }
        }
    }
}
