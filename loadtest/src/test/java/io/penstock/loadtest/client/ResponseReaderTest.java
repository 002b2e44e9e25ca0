package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
    private static final String NEXT = "HTTP/1.1 500 Not part of it\r\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200\r\ncontent-length:0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n1a\r\n"
                        + "abcdefghijklmnopqrstuvwxyz\r\n0\r\nX-Trailer: 1\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na",
            })
    void endsWhereTheResponseEndsWhereverItIsCut(String response) throws ProtocolException {
        for (int cut = 0; cut < response.length(); cut++) {
            ResponseReader reader = new ResponseReader();
            assertFalse(reader.read(bytes(response.substring(0, cut))), "cut at " + cut);
            ByteBuffer rest = bytes(response.substring(cut) + NEXT);
            assertTrue(reader.read(rest), "cut at " + cut);
            assertEquals(NEXT.length(), rest.remaining(), "cut at " + cut);
            assertEquals(200, reader.status());
            assertTrue(reader.isPersistent());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
            })
    void knowsThatTheConnectionIsNotKept(String response) throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        assertTrue(reader.read(bytes(response)));
        assertFalse(reader.isPersistent());
    }

    @Test
    void aBodyWithoutALengthEndsWithTheConnection() throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        assertFalse(reader.read(bytes("HTTP/1.1 200 OK\r\n\r\nhello")));
        assertTrue(reader.onClose());
        assertFalse(reader.isPersistent());
    }

    @Test
    void aResponseThatIsCutOffIsNotComplete() throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        assertFalse(reader.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell")));
        assertFalse(reader.onClose());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"
            })
    void refusesWhatIsNoResponse(String response) {
        assertThrows(ProtocolException.class, () -> new ResponseReader().read(bytes(response)));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
