package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.penstock.testing.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests blocking calls of a {@link MultiplexedClient}. Many threads can make such calls at the same time. */
@Timeout(120)
class BlockingFetchTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void eachConcurrentCallReturnsTheResponseToItsRequest() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        ExecutorService workers = Executors.newFixedThreadPool(8);
        ExecutorService threads = Executors.newFixedThreadPool(32);
        server.createContext("/", exchange -> {
            byte[] path = exchange.getRequestURI().toString().getBytes();
            // For sendResponseHeaders, the length 0 means a chunked body. So some of the responses are chunked.
            exchange.sendResponseHeaders(200, path.length % 2 == 0 ? path.length : 0);
            exchange.getResponseBody().write(path);
            exchange.close();
        });
        server.setExecutor(workers);
        server.start();
        try (MultiplexedClient client =
                MultiplexedClient.start(ClientSettings.defaults().withMaxConnections(32))) {
            List<Future<String>> fetched = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                URI url =
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + "n".repeat(i % 30) + i);
                fetched.add(threads.submit(() -> client.fetch(url, LONG).text().equals(url.getPath()) ? "" : "" + url));
            }
            for (Future<String> each : fetched) {
                assertEquals("", each.get());
            }
        } finally {
            server.stop(0);
            workers.shutdownNow();
            threads.shutdownNow();
        }
    }

    @Test
    void theMessageOfAFailedCallContainsTheRequestAndTheCause() throws Exception {
        int port = FreePort.next();
        URI url = URI.create("http://127.0.0.1:" + port + "/x");
        try (MultiplexedClient client = MultiplexedClient.start(ClientSettings.defaults())) {
            CallException failure = assertThrows(CallException.class, () -> client.fetch(url, LONG));
            assertEquals(Failure.CONNECT_REFUSED, failure.failure());
            assertEquals("GET http://127.0.0.1:" + port + "/x: Connection refused", failure.getMessage());
        }
    }

    @Test
    void aCallToASilentServerFailsAtTheDeadline() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                MultiplexedClient client = MultiplexedClient.start(ClientSettings.defaults())) {
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            long start = System.nanoTime();
            CallException failure = assertThrows(CallException.class, () -> client.fetch(url, Duration.ofMillis(150)));
            assertEquals(Failure.DEADLINE, failure.failure());
            assertTrue(System.nanoTime() - start >= Duration.ofMillis(150).toNanos());
        }
    }

    @Test
    void anInterruptEndsTheCallAndClosesItsConnection() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                MultiplexedClient client = MultiplexedClient.start(ClientSettings.defaults())) {
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            CompletableFuture<Exception> outcome = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    client.fetch(url, LONG);
                } catch (CallException | InterruptedException thrown) {
                    outcome.complete(thrown);
                }
            });
            caller.start();
            // The caller already waits for the response, or begins to wait soon. In both cases, the interrupt ends the
            // call.
            Socket peer = silent.accept();
            caller.interrupt();
            assertInstanceOf(InterruptedException.class, outcome.get());
            assertThrows(SocketException.class, () -> peer.getInputStream().readAllBytes());
            caller.join();
        }
    }
}
