package io.penstock.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that {@link ClientHello} reads the server name and the application protocols (ALPN) from a ClientHello of the JDK's TLS engine
 * (RFC 8446 section 4.1.2).
 */
class ClientHelloTest {

    private static byte[] hello(String version, String host, String... protocols) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setServerNames(host.isEmpty() ? List.of() : List.<SNIServerName>of(new SNIHostName(host)));
        parameters.setApplicationProtocols(protocols);
        engine.setSSLParameters(parameters);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        return Arrays.copyOf(record.array(), record.position());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theServerNameAndTheProtocolsAreRead(String version) throws Exception {
        byte[] record = hello(version, "www.example.org", "h2", "http/1.1");
        ByteBuffer behindOthers = ByteBuffer.allocate(record.length + 20);
        behindOthers.position(7).put(record).put(new byte[] {22, 3}).flip().position(7);
        ClientHello hello = ClientHello.read(behindOthers);
        assertEquals("www.example.org", hello.serverName());
        assertEquals(List.of("h2", "http/1.1"), hello.protocols());
        assertEquals(7, behindOthers.position());
        assertEquals(ClientHello.SILENT, ClientHello.read(ByteBuffer.wrap(hello(version, ""))));
    }

    @Test
    void aClientHelloIsAChallengeOnlyIfItHasAServerNameAndTheSingleProtocolAcmeTls() throws Exception {
        assertEquals(
                "a.example",
                ClientHello.read(ByteBuffer.wrap(hello("TLSv1.3", "a.example", "acme-tls/1")))
                        .challenged());
        for (byte[] other : List.of(
                hello("TLSv1.3", "a.example"),
                hello("TLSv1.3", "", "acme-tls/1"),
                hello("TLSv1.3", "a.example", "acme-tls/1", "http/1.1"),
                hello("TLSv1.3", "a.example", "http/1.1", "acme-tls/1"),
                hello("TLSv1.3", "a.example", "acme-tls/1", "acme-tls/1"),
                hello("TLSv1.3", "a.example", "ACME-TLS/1"))) {
            assertNull(ClientHello.read(ByteBuffer.wrap(other)).challenged());
        }
    }

    @Test
    void aClientHelloIsCompleteWhenItsLastByteHasArrived() throws Exception {
        byte[] record = hello("TLSv1.3", "a.example", "acme-tls/1");
        for (int arrived = 0; arrived < record.length; arrived++) {
            assertFalse(
                    ClientHello.hasCome(ByteBuffer.wrap(record, 0, arrived)),
                    "the message is incomplete after " + arrived + " bytes");
        }
        assertTrue(ClientHello.hasCome(ByteBuffer.wrap(record)));
        assertTrue(
                ClientHello.hasCome(ByteBuffer.wrap(new byte[] {22, 3, 1, -1, -1})),
                "a record with an invalid length counts as complete");
    }

    /** A message can contain lengths that are too large. The result for an incomplete message has no server name and no protocols. */
    @Test
    void anInvalidClientHelloIsReadWithoutAnException() throws Exception {
        byte[] record = hello("TLSv1.3", "a.example", "acme-tls/1");
        Random random = new Random(8737);
        for (int i = 5; i < record.length; i++) {
            byte[] changed = record.clone();
            changed[i] = (byte) random.nextInt();
            ClientHello.read(ByteBuffer.wrap(changed));
            byte[] cut = Arrays.copyOf(record, i);
            ByteBuffer.wrap(cut).putShort(3, (short) (i - 5));
            assertEquals(
                    ClientHello.SILENT,
                    ClientHello.read(ByteBuffer.wrap(cut)),
                    "the result for the first " + i + " bytes of the record");
        }
        for (byte[] content :
                List.of(new byte[0], new byte[] {1}, new byte[] {1, 0, 0, 0}, new byte[] {2, 0, 0, 1, 0})) {
            ByteBuffer small = ByteBuffer.allocate(5 + content.length);
            small.put(new byte[] {22, 3, 1, 0, (byte) content.length})
                    .put(content)
                    .flip();
            assertEquals(ClientHello.SILENT, ClientHello.read(small));
        }
    }
}
