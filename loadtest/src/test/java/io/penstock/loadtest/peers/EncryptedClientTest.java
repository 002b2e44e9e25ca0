package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the client over TLS with the HTTPS server of the JDK. */
@Timeout(120)
class EncryptedClientTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int LARGE = 5_000_000;

    private static TlsKey key;
    private static HttpsServer server;
    private static ExecutorService workers;

    @BeforeAll
    static void start() throws Exception {
        key = TlsKey.create();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(key.server()));
        server.createContext("/echo", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(Arrays.equals(body, new byte[LARGE]) ? 200 : 400, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/path", exchange -> {
            byte[] path = exchange.getRequestURI().toString().getBytes();
            exchange.sendResponseHeaders(200, path.length);
            exchange.getResponseBody().write(path);
            exchange.close();
        });
        workers = Executors.newFixedThreadPool(4);
        server.setExecutor(workers);
        server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop(0);
        workers.shutdownNow();
        key.close();
    }

    private static Target target(String path) {
        return target(server.getAddress().getPort(), path);
    }

    private static Target target(int port, String path) {
        return Target.of(URI.create("http://127.0.0.1:" + port + path));
    }

    private static ClientSettings settings() throws Exception {
        return ClientSettings.defaults().withMaxConnections(100).withTls(key.client());
    }

    private static CompletableFuture<LoadResult> start(ClientLoop loop, Request request, int requests) {
        return new OpenLoop(loop, OpenPlan.ofRequests(request, 1000, requests).withDeadline(LONG)).start();
    }

    @Test
    void manyRequestsAreAnswered() throws Exception {
        try (ClientLoop loop = ClientLoop.start(settings())) {
            LoadResult result = Load.await(start(loop, Request.get(target("/path")), 100), LONG);
            assertEquals(100, result.answered(), result::firstTrouble);
        }
    }

    /** The body is much larger than a TLS record and much larger than the buffers of the sockets. */
    @Test
    void largeBodiesAreSentAndReceived() throws Exception {
        try (ClientLoop loop = ClientLoop.start(settings().withSocketBuffers(16384, 16384))) {
            Request request = Request.of("POST", target("/echo")).withZeros(LARGE);
            LoadResult result = Load.await(start(loop, request, 1), LONG);
            assertEquals(1, result.answered(), result::firstTrouble);
            assertTrue(loop.receivedBytes() > LARGE);
        }
    }

    @Test
    void theClientDoesNotTrustAServerWithAnotherKey() throws Exception {
        try (TlsKey other = TlsKey.create();
                ClientLoop loop = ClientLoop.start(ClientSettings.defaults().withTls(other.client()))) {
            LoadResult result = Load.await(start(loop, Request.get(target("/path")), 1), LONG);
            assertEquals(Map.of(Failure.CONNECT_FAILED, 1L), result.failures());
        }
    }

    @Test
    void theConnectionFailsIfTheServerRespondsWithoutTls() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ClientLoop loop = ClientLoop.start(settings())) {
            CompletableFuture<LoadResult> load = start(loop, Request.get(target(plain.getLocalPort(), "/")), 1);
            try (Socket peer = plain.accept()) {
                assertEquals(22, peer.getInputStream().read(), "the client has not sent a handshake record");
                peer.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
                assertEquals(
                        Map.of(Failure.CONNECT_FAILED, 1L),
                        Load.await(load, LONG).failures());
            }
        }
    }

    @Test
    void aTlsHandshakeTimesOutIfTheServerSendsNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ClientLoop loop = ClientLoop.start(settings().withConnectTimeout(Duration.ofMillis(100)))) {
            CompletableFuture<LoadResult> load = start(loop, Request.get(target(silent.getLocalPort(), "/")), 1);
            assertEquals(
                    Map.of(Failure.CONNECT_TIMED_OUT, 1L),
                    Load.await(load, LONG).failures());
        }
    }

    @Test
    void aKeyCanBeReplacedByAnotherKey() throws Exception {
        try (TlsKey live = TlsKey.create();
                TlsKey next = TlsKey.create()) {
            live.replaceBy(next);
            assertEquals(next.certificate(), live.certificate());
        }
    }
}
