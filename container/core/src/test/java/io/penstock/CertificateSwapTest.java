package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.certificates.Issued;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replaces the certificate of the server while clients send requests. No request may fail, and new connections get the new certificate. */
class CertificateSwapTest {
    private static final Issued FIRST = Issued.self(Issued.EC, "same.example");
    private static final Issued SECOND = Issued.self(Issued.EC, "same.example");
    private static final int SWAPS = 10;
    private static final int REQUESTS_BETWEEN = 5;

    private final AtomicBoolean over = new AtomicBoolean();
    private final List<AtomicInteger> answered = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void noRequestFailsAndEachNewConnectionGetsTheNewCertificate() throws Exception {
        Path file = folder.resolve("both.pem");
        Files.writeString(file, FIRST.pem() + FIRST.keyPem());
        Penstock.Builder builder = Penstock.builder()
                .port(0)
                .set("host", "127.0.0.1")
                .set("tls-cert", file.toString())
                .set("tls-reload-interval", "0s")
                .context("/", context -> context.servlet("who", new WhoServlet(), "/who"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Penstock server = builder.start()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                AtomicInteger kept = counter();
                clients.add(threads.submit(() -> sendRequestsOverOneConnection(server.port(), kept)));
                AtomicInteger fresh = counter();
                clients.add(threads.submit(() -> sendRequestsOverNewConnections(server.port(), fresh)));
            }
            awaitMore(clients);
            for (int swap = 1; swap <= SWAPS; swap++) {
                Issued next = swap % 2 == 1 ? SECOND : FIRST;
                Files.writeString(file, next.pem() + next.keyPem());
                assertEquals("new connections get the new certificates", server.reloadCertificates());
                try (HttpsClient client = new HttpsClient(server.port(), "same.example")) {
                    assertEquals(next.certificate(), certificate(client));
                }
                awaitMore(clients);
            }
            over.set(true);
            for (Future<?> client : clients) {
                client.get(PromptWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
    }

    private AtomicInteger counter() {
        AtomicInteger counter = new AtomicInteger();
        answered.add(counter);
        return counter;
    }

    /**
     * Waits until each client has received {@code REQUESTS_BETWEEN} more responses. If a client has failed, this method throws the
     * exception of the client.
     */
    private void awaitMore(List<Future<?>> clients) throws Exception {
        List<Integer> before = answered.stream().map(AtomicInteger::get).toList();
        await().until(() -> {
            boolean more = true;
            for (int i = 0; i < clients.size(); i++) {
                if (clients.get(i).isDone()) {
                    clients.get(i).get(); // throws the exception of a failed client
                }
                more &= answered.get(i).get() >= before.get(i) + REQUESTS_BETWEEN;
            }
            return more;
        });
    }

    /** Sends requests over one connection. The connection stays open, and keeps the certificate of its handshake. */
    private Void sendRequestsOverOneConnection(int port, AtomicInteger counter) throws Exception {
        try (HttpsClient client = new HttpsClient(port, "same.example")) {
            while (!over.get()) {
                sendRequest(client, counter);
            }
            assertEquals(FIRST.certificate(), certificate(client));
        }
        return null;
    }

    /** Sends each request over a new connection. Each later connection offers the TLS session of an earlier one for resumption. */
    private Void sendRequestsOverNewConnections(int port, AtomicInteger counter) throws Exception {
        SSLContext context = HttpsClient.context();
        while (!over.get()) {
            try (HttpsClient client = new HttpsClient(context, port, "same.example", "TLSv1.3")) {
                sendRequest(client, counter);
                assertTrue(List.of(FIRST.certificate(), SECOND.certificate()).contains(certificate(client)));
            }
        }
        return null;
    }

    private static void sendRequest(HttpsClient client, AtomicInteger counter) throws Exception {
        assertEquals(200, client.get("same.example", "/who").status());
        counter.incrementAndGet();
    }

    private static Certificate certificate(HttpsClient client) throws Exception {
        return client.socket().getSession().getPeerCertificates()[0];
    }
}
