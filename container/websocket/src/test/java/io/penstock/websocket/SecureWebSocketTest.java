package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.testing.AnyCertificate;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.ContainerProvider;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests WebSocket over TLS ({@code wss}): the context that the application gives to a client, the check of the server's name, and clients
 * that leave.
 */
class SecureWebSocketTest {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("0.0.0.0")
                .port(0)
                .set("tls-self-signed", "on")
                .context("/", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Session connect(String host, SSLContext tls) throws Exception {
        ClientEndpointConfig.Builder config = ClientEndpointConfig.Builder.create();
        if (tls != null) {
            config.sslContext(tls);
        }
        Endpoint endpoint = new Endpoint() {
            @Override
            public void onOpen(Session session, EndpointConfig of) {
                session.addMessageHandler(String.class, (MessageHandler.Whole<String>) heard::add);
            }
        };
        return ContainerProvider.getWebSocketContainer()
                .connectToServer(
                        endpoint, config.build(), URI.create("wss://" + host + ":" + server.port() + "/talk/a"));
    }

    /** A context that trusts only the certificate of the server, which is valid for {@code localhost} and 127.0.0.1. */
    private SSLContext trustingTheServer() throws Exception {
        Certificate own;
        try (SSLSocket socket =
                (SSLSocket) AnyCertificate.trusting().getSocketFactory().createSocket("127.0.0.1", server.port())) {
            socket.startHandshake();
            own = socket.getSession().getPeerCertificates()[0];
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("server", own);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void aClientWithAContextOfItsApplicationSpeaksTls() throws Exception {
        try (Session session = connect("localhost", trustingTheServer())) {
            assertTrue(session.isSecure());
            session.getBasicRemote().sendText("x".repeat(60_000));
            assertEquals("a: " + "x".repeat(60_000), heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void aServerWithTheNameOfAnotherIsRefused() throws Exception {
        SSLContext trusting = trustingTheServer();
        IOException refused = assertThrows(IOException.class, () -> connect("127.0.0.2", trusting));
        assertInstanceOf(SSLException.class, refused);
        assertTrue(heard.isEmpty());
    }

    /** How a client ends its connection. */
    private enum End {
        CLOSE_NOTIFY,
        FIN,
        RESET
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void aClientThatEndsWithinAMessageIsToldToTheEndpointAndLeavesNothingBehind(End end) throws Exception {
        TalkEndpoint.ENDS.clear();
        try (Socket tcp = new Socket("127.0.0.1", server.port());
                Socket tls = AnyCertificate.trusting()
                        .getSocketFactory()
                        .createSocket(tcp, "localhost", server.port(), true)) {
            RawHandshake.shakeHands(tls, "/talk/a");
            tls.getOutputStream().write(new byte[] {(byte) 0x81, (byte) 0x85, 0, 0, 0, 0, 'h', 'e'});
            await().until(() -> server.counters().get("websocket-frames-received") == 1);
            tcp.setSoLinger(end == End.RESET, 0);
            (end == End.CLOSE_NOTIFY ? tls : tcp).close();
            assertEquals("close 1006", TalkEndpoint.ENDS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            List<String> gauges =
                    List.of("websocket-sessions", "connections-upgraded", "connections", "pipe-bytes", "workers-busy");
            for (String held : gauges) {
                await().until(() -> server.gauges().get(held) == 0);
            }
            assertTrue(TalkEndpoint.ENDS.isEmpty(), TalkEndpoint.ENDS.toString());
        }
    }

    @Test
    void withoutAContextAnUnknownCertificateIsRefused() {
        assertThrows(SSLHandshakeException.class, () -> connect("localhost", null));
    }
}
