package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.PromptWaits;
import io.penstock.exchange.RawConnection;
import io.penstock.exchange.Upgrade;
import io.penstock.limits.Gauge;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The base of tests whose connections change to a protocol of the test. */
abstract class TalkFixture {
    static final Duration PATIENCE = PromptWaits.PATIENCE;

    final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    /** A protocol that runs completely in one call. */
    interface Talk {
        void with(RawConnection connection) throws IOException, InterruptedException;
    }

    /** The reaction of an upgraded connection when the server asks the connection to end. */
    enum Manners {
        LEAVES,
        STAYS
    }

    final class Talking implements Upgrade {
        private final Talk talk;
        private final Manners manners;
        private RawConnection open;

        Talking(Talk talk) {
            this(talk, Manners.LEAVES);
        }

        Talking(Talk talk, Manners manners) {
            this.talk = talk;
            this.manners = manners;
        }

        @Override
        public void begin(RawConnection connection) {
            open = connection;
            try {
                talk.with(connection);
                told.add("returned");
            } catch (IOException e) {
                told.add(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                told.add("interrupted");
            }
        }

        @Override
        public void leave() {
            told.add("leave");
            if (manners == Manners.LEAVES) {
                Objects.requireNonNull(open).close();
            }
        }

        @Override
        public void ended() {
            told.add("ended");
        }
    }

    Site talking(Talk talk) {
        return new Site()
                .on("/up", RawEcho.switching(exchange -> new Talking(talk)))
                .on("/echo", RawEcho.switching(RawEcho::new));
    }

    void assertTold(String... expected) throws InterruptedException {
        for (String one : expected) {
            assertEquals(one, told.poll(60, TimeUnit.SECONDS));
        }
    }

    static void assertAnswered(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", client.answer().body());
        }
    }

    static long level(WireServer server, Gauge gauge) {
        return server.transport.gauges().value(gauge);
    }
}
