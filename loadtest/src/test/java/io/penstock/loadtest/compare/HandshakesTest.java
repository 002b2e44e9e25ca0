package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests how {@link Handshakes} parses the output of its C program. {@link ComparisonIT} runs the C program. */
class HandshakesTest {
    private static final Handshakes RESUMED = new Handshakes(16, "1.3", true);

    @Test
    void theCountsAndTheReasonForFailuresAreParsed() throws IOException {
        assertEquals(
                new Client.Got(2000, 3, 2.5, Double.NaN, Double.NaN, "the server did not resume the session"),
                RESUMED.parse("handshakes=2000 failed=3 seconds=2.500000 version=TLSv1.3 suite=TLS_AES_128_GCM_SHA256"
                        + " trouble=the server did not resume the session"));
    }

    @Test
    void anEmptyVersionAndCipherSuiteAreAcceptedIfNoHandshakeSucceeded() throws IOException {
        assertEquals(
                new Client.Got(0, 9, 1, Double.NaN, Double.NaN, "the connection was cut"),
                RESUMED.parse("handshakes=0 failed=9 seconds=1.0 version= suite= trouble=the connection was cut"));
    }

    @Test
    void anUnexpectedVersionOrCipherSuiteOrTextIsRefused() {
        assertRefused("handshakes=1 failed=0 seconds=1.0 version=TLSv1.2 suite=TLS_AES_128_GCM_SHA256 trouble=");
        assertRefused("handshakes=1 failed=0 seconds=1.0 version=TLSv1.3 suite=TLS_AES_256_GCM_SHA384 trouble=");
        assertRefused("Segmentation fault");
    }

    private static void assertRefused(String output) {
        assertThrows(IOException.class, () -> RESUMED.parse(output));
    }
}
