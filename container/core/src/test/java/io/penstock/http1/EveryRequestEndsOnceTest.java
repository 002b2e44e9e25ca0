package io.penstock.http1;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.Side;
import io.penstock.exchange.Exchange;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Clients send random requests and disconnect at random times. The first event of each request must be its head event. The last event must
 * be its only end event.
 */
final class EveryRequestEndsOnceTest {
    private static final int CLIENTS = 6;
    private static final int CONNECTIONS_PER_CLIENT = 60;

    /** Records each event that comes in the wrong order. */
    private static final class OrderChecker extends RecordedEvents {
        private enum State {
            OPEN,
            ENDED
        }

        final Map<String, State> requests = new ConcurrentHashMap<>();
        final Map<String, String> wrong = new ConcurrentHashMap<>();
        final Set<RequestSummary.Outcome> outcomes = ConcurrentHashMap.newKeySet();

        @Override
        public boolean followsRequests() {
            return true;
        }

        @Override
        public void headArrived(Request request) {
            if (requests.put(request.id(), State.OPEN) != null) {
                wrong.put(request.id(), "a second head event");
            }
        }

        @Override
        public void bodyArrived(Request request, long bytes) {
            assertOpen(request, "body");
        }

        @Override
        public void spilled(Request request, Side side, long bytes) {
            assertOpen(request, "spilled");
            if (bytes <= 0) {
                wrong.put(request.id(), "a spilled event with " + bytes + " bytes");
            }
        }

        @Override
        public void queued(Request request) {
            assertOpen(request, "queued");
        }

        @Override
        public void taken(Request request, long waitedNanos) {
            assertOpen(request, "taken");
        }

        @Override
        public void responding(Request request, int status) {
            assertOpen(request, "responding");
        }

        @Override
        public void gone(Request request, String cause) {
            assertOpen(request, "gone");
        }

        @Override
        public void ended(RequestSummary summary) {
            assertOpen(summary.request(), "ended");
            requests.put(summary.request().id(), State.ENDED);
            outcomes.add(summary.outcome());
            RequestSummary.Times times = summary.times();
            LongStream stages =
                    LongStream.of(times.head(), times.body(), times.queue(), times.service(), times.drain());
            if (stages.anyMatch(nanos -> nanos < 0)) {
                wrong.put(summary.request().id(), "a negative time in " + times);
            }
        }

        private void assertOpen(Request request, String event) {
            State state = requests.get(request.id());
            if (state != State.OPEN) {
                wrong.put(request.id(), "the event '" + event + "' in the state " + state);
            }
        }

        boolean allHaveEnded() {
            return requests.values().stream().allMatch(state -> state == State.ENDED);
        }
    }

    private static void respondLater(Exchange exchange) {
        exchange.resume(() -> {
            try {
                Site.text(exchange, "later");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void everyRequestHasExactlyOneEndEvent() throws Exception {
        OrderChecker checker = new OrderChecker();
        Site site = new Site()
                .on("/large", exchange -> Site.text(exchange, "x".repeat(300_000)))
                .on("/fail", exchange -> {
                    throw new IllegalStateException("on purpose");
                })
                .on("/later", EveryRequestEndsOnceTest::respondLater);
        WireConfig config = new WireConfig()
                .workers(2)
                .queue(3)
                .sendBuffer(4096)
                .headTimeout(200)
                .bodyStall(200)
                .keepAlive(200);
        try (WireServer server = new WireServer(config.toConfig(), site, PATIENCE, checker)) {
            List<FutureTask<Boolean>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                FutureTask<Boolean> client = new FutureTask<>(() -> {
                    for (int count = 0; count < CONNECTIONS_PER_CLIENT; count++) {
                        useOneConnection(server, random);
                    }
                    return true;
                });
                clients.add(client);
                Thread thread = new Thread(client, "client-" + i);
                thread.setDaemon(true);
                thread.start();
            }
            for (FutureTask<Boolean> client : clients) {
                assertTrue(client.get(2, TimeUnit.MINUTES));
            }
            await().untilAsserted(() ->
                    assertTrue(checker.allHaveEnded(), () -> "the states of the requests: " + checker.requests));
        }
        assertEquals(Map.of(), checker.wrong);
        assertTrue(
                checker.requests.size() > CLIENTS * CONNECTIONS_PER_CLIENT / 2,
                () -> "too few requests: " + checker.requests.size());
        assertEquals(EnumSet.allOf(RequestSummary.Outcome.class), checker.outcomes);
    }

    /** Sends some requests in one write, reads some of the responses, and closes or resets the connection. */
    private static void useOneConnection(WireServer server, Random random) throws IOException {
        try (RawClient client = server.connectWithReceiveBuffer(4096)) {
            StringBuilder requests = new StringBuilder();
            for (int i = random.nextInt(4); i >= 0; i--) {
                requests.append(request(random));
            }
            int cut = random.nextInt(4) == 0 ? random.nextInt(requests.length()) : requests.length();
            client.send(requests.substring(0, cut));
            switch (random.nextInt(4)) {
                case 0 -> client.halfClose().rest();
                case 1 -> client.reset();
                case 2 -> {
                    client.answer();
                    client.reset();
                }
                default -> client.answer();
            }
        } catch (SocketException | EOFException e) {
            assertTrue(e.getMessage() != null, "the exception has no message");
        }
    }

    private static String request(Random random) {
        String host = " HTTP/1.1\r\nHost: x\r\n";
        return switch (random.nextInt(9)) {
            case 0 -> "GET /refused" + host + "\r\n";
            case 1 -> "GET /fail" + host + "\r\n";
            case 2 -> "GET /later" + host + "\r\n";
            case 3 -> "GET /large" + host + "\r\n";
            case 4 -> "POST /a" + host + "Content-Length: 100000\r\n\r\n" + "y".repeat(100_000);
            case 5 -> "POST /stream" + host + "Content-Length: 5\r\n\r\nabcde";
            case 6 -> "GET /a" + host + "no colon\r\n\r\n";
            case 7 -> "(nonsense)\r\n\r\n";
            default -> "GET /a" + host + "\r\n";
        };
    }
}
