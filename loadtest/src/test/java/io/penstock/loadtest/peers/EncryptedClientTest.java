package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.MultiplexedClient;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Response;
import io.penstock.loadtest.client.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a {@link MultiplexedClient} over TLS with the HTTPS server of the JDK. */
@Timeout(120)
class EncryptedClientTest {
    private static final Duration LONG = Duration.ofSeconds(60);

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
            exchange.sendResponseHeaders(200, body.length);
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
        return Target.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
    }

    private static ClientSettings settings() throws Exception {
        return ClientSettings.defaults().withMaxConnections(100).withTls(key.client());
    }

    @Test
    void eachConcurrentRequestReceivesTheMatchingResponse() throws Exception {
        try (MultiplexedClient client = MultiplexedClient.start(settings())) {
            List<CompletableFuture<Response>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(client.fetchAsync(Request.get(target("/path/" + i)), LONG));
            }
            for (int i = 0; i < 100; i++) {
                assertEquals("/path/" + i, calls.get(i).get().text());
            }
        }
    }

    /** The body is much larger than a TLS record and much larger than the buffers of the sockets. */
    @Test
    void largeBodiesAreSentAndReceived() throws Exception {
        byte[] body = new byte[5_000_000];
        new Random(18).nextBytes(body);
        try (MultiplexedClient client = MultiplexedClient.start(settings().withSocketBuffers(16384, 16384))) {
            Response response = client.fetch(Request.of("POST", target("/echo")).withBody(body), LONG);
            assertArrayEquals(body, response.body());
        }
    }

    @Test
    void theClientDoesNotTrustAServerWithAnotherKey() throws Exception {
        try (TlsKey other = TlsKey.create();
                MultiplexedClient client =
                        MultiplexedClient.start(ClientSettings.defaults().withTls(other.client()))) {
            CallException failed =
                    assertThrows(CallException.class, () -> client.fetch(Request.get(target("/path")), LONG));
            assertEquals(Failure.CONNECT_FAILED, failed.failure());
        }
    }

    @Test
    void theConnectionFailsIfTheServerRespondsWithoutTls() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                MultiplexedClient client = MultiplexedClient.start(settings())) {
            Target target = Target.of(URI.create("http://127.0.0.1:" + plain.getLocalPort() + "/"));
            CompletableFuture<Response> call = client.fetchAsync(Request.get(target), LONG);
            try (Socket peer = plain.accept()) {
                assertEquals(22, peer.getInputStream().read(), "the client has not sent a handshake record");
                peer.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
                Exception failed = assertThrows(Exception.class, () -> call.get(60, TimeUnit.SECONDS));
                assertEquals(Failure.CONNECT_FAILED, ((CallException) failed.getCause()).failure());
            }
        }
    }

    @Test
    void aTlsHandshakeTimesOutIfTheServerSendsNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                MultiplexedClient client =
                        MultiplexedClient.start(settings().withConnectTimeout(Duration.ofMillis(100)))) {
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            CallException failed = assertThrows(CallException.class, () -> client.fetch(url, LONG));
            assertEquals(Failure.CONNECT_TIMED_OUT, failed.failure());
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
