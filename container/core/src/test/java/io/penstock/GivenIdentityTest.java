package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.part.TlsIdentity;
import io.penstock.tls.TestIdentity;
import io.penstock.tls.TlsEngines;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Tests HTTPS with certificates that the embedding program supplies. */
class GivenIdentityTest {
    private final TlsEngines engines = TestIdentity.engines();
    private final List<String> names = new CopyOnWriteArrayList<>();

    private final class ByName implements TlsIdentity {
        @Override
        public SSLEngine engine(String serverName) {
            names.add(String.valueOf(serverName));
            return engines.create(serverName);
        }

        @Override
        public boolean nameDecides() {
            return true;
        }
    }

    private static Penstock.Builder local() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("who", new WhoServlet(), "/"));
    }

    private static String get(Penstock server, String host) throws Exception {
        try (SSLSocket socket = (SSLSocket) TestIdentity.anonymousClient()
                .getSocketFactory()
                .createSocket(InetAddress.getByName("127.0.0.1"), server.port())) {
            socket.setSoTimeout(60_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void theTlsIdentityReceivesTheServerNameOfTheHandshake() throws Exception {
        try (Penstock server = local().tls(new ByName()).start()) {
            assertTrue(get(server, "a.example.org").startsWith("HTTP/1.1 200"));
            assertTrue(get(server, "b.example.org").startsWith("HTTP/1.1 200"));
            assertEquals(List.of("a.example.org", "b.example.org"), names);
        }
    }

    @Test
    void aSettingIsRejectedIfItContradictsTheTlsIdentityOfTheProgram() {
        StartException twice = assertThrows(
                StartException.class,
                () -> local().tls(new ByName()).set("tls-self-signed", "on").start());
        assertTrue(twice.getMessage().contains("tls-cert"), twice.getMessage());
        StartException none = assertThrows(
                StartException.class, () -> local().set("tls-cert", "program").start());
        assertEquals("tls-cert: is 'program', but this program has no certificate of its own", none.getMessage());
        assertEquals(
                List.of("tls-cert: is 'program', but this program has no certificate of its own"),
                local().set("tls-cert", "program").check());
        assertEquals(List.of(), local().tls(new ByName()).check());
        StartException rules = assertThrows(
                StartException.class,
                () -> local().tls(new ByName()).set("tls-client-auth", "want").start());
        assertTrue(rules.getMessage().contains("tls-client-auth"), rules.getMessage());
        StartException other = assertThrows(
                StartException.class,
                () -> local().tls(new ByName()).set("tls-cert", "other.pem").start());
        assertEquals(
                "tls-cert: must be 'program', since this program has a certificate of its own", other.getMessage());
    }
}
