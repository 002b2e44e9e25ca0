package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.RequestHead;
import io.penstock.work.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests persistent connections and pipelining (RFC 9112 sections 9.3 and 9.3.2). */
final class Rfc9112Section9PipeliningTest {
    private static final String THREE = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
            + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
            + "PUT /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";

    private static void assertThreeAnswers(RawClient client) throws Exception {
        assertEquals("GET /a\n", client.answer().body());
        assertEquals("POST /b\nhello", client.answer().body());
        assertEquals("PUT /c\nabcde", client.answer().body());
    }

    @Test
    void requestsInOneWriteAreAnsweredInOrderOnOneConnection() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            for (int i = 0; i < 50; i++) {
                client.send(THREE);
                assertThreeAnswers(client);
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void requestsThatArriveInTwoPiecesAreAnsweredInOrder() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            for (int cut = 1; cut < THREE.length(); cut++) {
                client.send(THREE.substring(0, cut));
                server.settle();
                client.send(THREE.substring(cut));
                assertThreeAnswers(client);
            }
        }
    }

    @Test
    void requestsThatArriveByteByByteAreAnsweredInOrder() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            for (int i = 0; i < THREE.length(); i++) {
                client.send(THREE.substring(i, i + 1));
                server.settle();
            }
            assertThreeAnswers(client);
        }
    }

    @Test
    void laterResponsesAreSentAfterASlowFirstResponse() throws Exception {
        Semaphore go = new Semaphore(0);
        Site site = new Site().on("/slow", exchange -> {
            go.acquire();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            String message = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + THREE
                    + "GET /refused HTTP/1.1\r\nHost: x\r\n\r\n" + THREE;
            for (int cut : Cuts.everyOffsetOf(message)) {
                Cuts.send(server, client, message, cut);
                server.settle();
                go.release();
                assertEquals("slow", client.answer().body(), "the input is cut at byte " + cut);
                assertThreeAnswers(client);
                assertEquals(404, client.answer().status(), "the input is cut at byte " + cut);
                assertThreeAnswers(client);
            }
        }
    }

    @Test
    void refusalsByTheReactorAndResponsesOfWorkersAreSentInOrder() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            String refused = "GET /refused HTTP/1.1\r\nHost: x\r\n\r\n";
            for (int i = 0; i < 200; i++) {
                client.send(refused + "GET /a HTTP/1.1\r\nHost: x\r\n\r\n" + refused + refused);
                assertEquals(404, client.answer().status());
                assertEquals("GET /a\n", client.answer().body());
                assertEquals(404, client.answer().status());
                assertEquals(404, client.answer().status());
            }
            Cuts.onOneConnection(server, refused + "GET /a HTTP/1.1\r\nHost: x\r\n\r\n" + refused, one -> {
                assertEquals(404, one.answer().status());
                assertEquals("GET /a\n", one.answer().body());
                assertEquals(404, one.answer().status());
            });
        }
    }

    @Test
    void thousandsOfPipelinedRequestsDoNotOverflowTheStack() throws Exception {
        int count = 20_000;
        try (WireServer server = WireServer.echo(new WireConfig().workers(1));
                RawClient client = server.connect()) {
            byte[] all = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(count).getBytes(StandardCharsets.US_ASCII);
            Thread sender = new Thread(() -> {
                try {
                    client.send(all);
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            for (int i = 0; i < count; i++) {
                assertEquals(200, client.answer().status());
            }
            sender.join();
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void theNextPipelinedRequestOfAClientRunsOnTheSameWorker() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site()
                .on("/first", exchange -> {
                    go.await();
                    threads.add(Thread.currentThread().getName());
                    Site.text(exchange, "first");
                })
                .on("/second", exchange -> {
                    threads.add(Thread.currentThread().getName());
                    Site.text(exchange, "second");
                });
        try (WireServer server = WireServer.with(new WireConfig().workers(4), site);
                RawClient client = server.connect()) {
            client.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle(); // now the server has read the second request
            go.countDown();
            assertEquals("first", client.answer().body());
            assertEquals("second", client.answer().body());
            assertEquals(1, threads.size(), threads.toString());
        }
    }

    @Test
    void aClientThatPipelinesManyRequestsDoesNotBlockOtherClients() throws Exception {
        AtomicInteger served = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<WireServer> running = new AtomicReference<>();
        List<Integer> servedBeforeOther = new ArrayList<>();
        Site site = new Site()
                .on("/greedy", exchange -> {
                    go.await();
                    running.get().settle(); // now the server has read the next request of this client
                    served.incrementAndGet();
                    Site.text(exchange, "greedy");
                })
                .on("/other", exchange -> {
                    servedBeforeOther.add(served.get());
                    Site.text(exchange, "other");
                });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient greedy = server.connect();
                RawClient other = server.connect()) {
            running.set(server);
            greedy.send("GET /greedy HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100));
            server.settle();
            other.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle();
            go.countDown();
            assertEquals("other", other.answer().body());
            for (int i = 0; i < 100; i++) {
                assertEquals("greedy", greedy.answer().body());
            }
            assertTrue(servedBeforeOther.get(0) <= 20, "requests served before the other client: " + servedBeforeOther);
        }
    }

    @Test
    void requestsAfterARequestWithConnectionCloseAreNotServed() throws Exception {
        AtomicInteger served = new AtomicInteger();
        Site site = new Site().on("/never", exchange -> {
            served.incrementAndGet();
            Site.text(exchange, "never");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            String message =
                    "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /never HTTP/1.1\r\nHost: x\r\n\r\n";
            Cuts.onNewConnections(server, message, client -> {
                Answer answer = client.answer();
                assertEquals(200, answer.status());
                assertEquals("close", answer.field("Connection"));
                assertEquals("", client.rest());
                assertEquals(0, served.get());
            });
        }
    }

    /** The first request still runs when the others arrive. */
    @ParameterizedTest
    @ValueSource(strings = {"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET /slow HTTP/1.0\r\n\r\n"})
    void requestsAfterARequestWithConnectionCloseAreNotAdmitted(String last) throws Exception {
        Semaphore go = new Semaphore(0);
        List<String> admitted = new CopyOnWriteArrayList<>();
        Site site = new Site() {
            @Override
            public Verdict admit(RequestHead head) {
                if (!head.target().path().equals("/refused")) { // a request of settle()
                    admitted.add(head.target().path());
                }
                return super.admit(head);
            }
        };
        site.on("/slow", exchange -> {
            go.acquire();
            Site.text(exchange, "slow");
        });
        String never = "POST /never HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000);
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            for (boolean together : new boolean[] {false, true}) {
                try (RawClient client = server.connect()) {
                    if (together) {
                        client.send(last + never);
                    } else {
                        client.send(last);
                        server.settle();
                        client.send(never);
                    }
                    server.settle();
                    assertEquals(0, server.transport.pool().inUse(), "bytes in segments of the server");
                    go.release();
                    Answer answer = client.answer();
                    assertEquals("slow", answer.body());
                    assertEquals("close", answer.field("Connection"));
                    assertEquals("", client.rest());
                }
            }
            assertEquals(List.of("/slow", "/slow"), admitted);
            server.awaitNothingHeld();
        }
    }

    @Test
    void eachClientOfAReactorGetsTheResponsesToItsRequests() throws Exception {
        try (WireServer server = WireServer.echo()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(server.connect());
            }
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 20; i++) {
                    clients.get(i).send("GET /" + i + "-" + round + " HTTP/1.1\r\nHost: x\r\n\r\n");
                }
                for (int i = 0; i < 20; i++) {
                    assertEquals(
                            "GET /" + i + "-" + round + "\n",
                            clients.get(i).answer().body());
                }
            }
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /**
     * A worker resumes the first request, and then serves the next request of the same client. The start time that the server reports for
     * the next request must be after the end of the first request.
     */
    @Test
    void theReportedStartOfTheNextRequestIsAfterTheEndOfTheResumedRequest() throws Exception {
        AtomicReference<Exchange> suspended = new AtomicReference<>();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/later", suspended::set).on("/next", exchange -> {
            inside.countDown();
            go.await();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient client = server.connect()) {
            client.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle();
            server.awaitIdleWorkers();
            Exchange first = Objects.requireNonNull(suspended.get());
            long[] ended = new long[1];
            first.resume(() -> {
                ended[0] = System.nanoTime();
                text(first);
            });
            assertTrue(inside.await(60, TimeUnit.SECONDS));
            try {
                Job job = Objects.requireNonNull(
                        server.transport.workers().doing().get(0).job());
                assertTrue(job.describe().endsWith("GET /next"), job.describe());
                long taken = ended[0] - TimeUnit.HOURS.toNanos(1);
                assertTrue(job.since(taken) - ended[0] >= 0, "the next request starts before the first request ends");
            } finally {
                go.countDown();
            }
        }
    }

    private static void text(Exchange exchange) {
        try {
            Site.text(exchange, "late");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
