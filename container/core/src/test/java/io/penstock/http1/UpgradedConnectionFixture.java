package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.PromptWaits;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.Upgrade;
import io.penstock.metrics.Gauge;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Base class of tests with upgraded connections. Each test defines the protocol after the upgrade. {@link #calls} records the events of
 * the upgraded connections, in order.
 */
abstract class UpgradedConnectionFixture {
    static final Duration PATIENCE = PromptWaits.PATIENCE;

    final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    /** The protocol of an upgraded connection. One call of {@code with} runs the whole protocol. */
    interface TestProtocol {
        void with(RawConnection connection) throws IOException, InterruptedException;
    }

    /** The reaction of an upgraded connection to {@link Upgrade#leave}. */
    enum OnLeave {
        CLOSE,
        IGNORE
    }

    final class TestUpgrade implements Upgrade {
        private final TestProtocol testProtocol;
        private final OnLeave onLeave;
        private RawConnection open;

        TestUpgrade(TestProtocol testProtocol) {
            this(testProtocol, OnLeave.CLOSE);
        }

        TestUpgrade(TestProtocol testProtocol, OnLeave onLeave) {
            this.testProtocol = testProtocol;
            this.onLeave = onLeave;
        }

        @Override
        public void begin(RawConnection connection) {
            open = connection;
            try {
                testProtocol.with(connection);
                calls.add("returned");
            } catch (IOException e) {
                calls.add(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                calls.add("interrupted");
            }
        }

        @Override
        public void leave() {
            calls.add("leave");
            if (onLeave == OnLeave.CLOSE) {
                Objects.requireNonNull(open).close();
            }
        }

        @Override
        public void ended() {
            calls.add("ended");
        }
    }

    Site siteWith(TestProtocol testProtocol) {
        return new Site()
                .on("/up", RawEcho.switching(exchange -> new TestUpgrade(testProtocol)))
                .on("/echo", RawEcho.switching(RawEcho::new));
    }

    void assertCalls(String... expected) throws InterruptedException {
        for (String one : expected) {
            assertEquals(one, calls.poll(60, TimeUnit.SECONDS));
        }
    }

    static void assertServesAnotherClient(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", client.answer().body());
        }
    }

    static long level(WireServer server, Gauge gauge) {
        return server.transport.gauges().value(gauge);
    }
}
