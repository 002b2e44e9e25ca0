package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
    private static final String NEXT = "HTTP/1.1 500 Not part of it\r\n";

    @ParameterizedTest
    @MethodSource("responses")
    void aResponseReceivedInTwoPartsIsReadCompletely(String response) throws ProtocolException {
        for (int cut = 0; cut < response.length(); cut++) {
            ResponseReader reader = new ResponseReader();
            assertFalse(reader.read(bytes(response.substring(0, cut))), "complete before the split at byte " + cut);
            ByteBuffer rest = bytes(response.substring(cut) + NEXT);
            assertTrue(reader.read(rest), "incomplete after the split at byte " + cut);
            assertEquals(NEXT.length(), rest.remaining(), "unread bytes after a split at byte " + cut);
            check(reader);
        }
    }

    @ParameterizedTest
    @MethodSource("responses")
    void aResponseReceivedByteByByteIsReadCompletely(String response) throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        for (int i = 0; i < response.length(); i++) {
            boolean last = i == response.length() - 1;
            assertEquals(
                    last,
                    reader.read(bytes(response.substring(i, i + 1))),
                    "whether the response is complete after byte " + i);
        }
        check(reader);
    }

    @Test
    void consecutiveResponsesAreReadByOneReader() throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        for (int cut = 1; cut < 40; cut++) {
            String response = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc";
            reader.reset();
            assertFalse(reader.read(bytes(response.substring(0, cut))));
            assertTrue(reader.read(bytes(response.substring(cut))));
            assertFalse(reader.isPersistent());
            reader.reset();
            assertTrue(reader.read(bytes("HTTP/1.1 204 No Content\r\n\r\n")));
            assertTrue(reader.isPersistent());
        }
    }

    private static Stream<String> responses() {
        String letters = "abcdefghijklmnopqrstuvwxyz";
        return Stream.of(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200\r\ncontent-length:0\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\nContent-Length: 9\r\n\r\n"
                        + "5;a=b\r\nhello\r\n1A \r\n" + letters + "\r\n000\r\nX-Trailer: 1\r\n\r\n",
                "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.1 103\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.0 200 OK\r\nConnection: x, Keep-Alive\r\nContent-Length: 1\r\n\r\na");
    }

    private static void check(ResponseReader reader) {
        assertEquals(200, reader.status());
        assertTrue(reader.isPersistent());
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void responsesWithStatus204Or304HaveNoBody(int status) throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        assertTrue(reader.read(bytes("HTTP/1.1 " + status + " x\r\nContent-Length: 9\r\n\r\n")));
        assertTrue(reader.isPersistent());
    }

    @Test
    void aResponseToHeadHasNoBody() throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        reader.reset(true);
        assertTrue(reader.read(bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")));
        assertTrue(reader.isPersistent());
    }

    @Test
    void aTooLongLineIsRefused() {
        ResponseReader reader = new ResponseReader();
        assertThrows(ProtocolException.class, () -> reader.read(bytes("HTTP/1.1 200 " + "x".repeat(16 << 10))));
        ResponseReader piecemeal = new ResponseReader();
        assertThrows(ProtocolException.class, () -> {
            for (int i = 0; i < 17; i++) {
                piecemeal.read(bytes("x".repeat(1 << 10)));
            }
        });
    }

    @Test
    void aTooLongResponseHeadIsRefused() {
        ResponseReader reader = new ResponseReader();
        assertThrows(ProtocolException.class, () -> {
            reader.read(bytes("HTTP/1.1 200 OK\r\n"));
            for (int i = 0; i < 100_000; i++) {
                reader.read(bytes("X: y\r\n"));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.1 200 OK\r\nConnection: keep-alive, CLOSE\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
            })
    void theConnectionIsNotPersistentAfterConnectionCloseOrAfterHttp10WithoutKeepAlive(String response)
            throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        assertTrue(reader.read(bytes(response)));
        assertFalse(reader.isPersistent());
    }

    @Test
    void aBodyWithoutALengthIsReadUntilTheServerClosesTheConnection() throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        assertFalse(reader.read(bytes("HTTP/1.1 200 OK\r\n\r\nhello")));
        assertTrue(reader.onClose());
        assertFalse(reader.isPersistent());
    }

    @Test
    void aResponseIsIncompleteIfTheConnectionIsClosedBeforeTheEndOfTheResponse() throws ProtocolException {
        ResponseReader reader = new ResponseReader();
        assertFalse(reader.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell")));
        assertFalse(reader.onClose());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0\r\n",
                "HTTP/2.0 200 OK\r\n",
                "HTTP/1.1 099 OK\r\n",
                "HTTP/1.1 2000 OK\r\n",
                "HTTP/1.1 20\r\n",
                "HTTP/1.1 200 OK\r\n folded: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"
            })
    void malformedResponsesAreRefused(String response) {
        assertThrows(ProtocolException.class, () -> new ResponseReader().read(bytes(response)));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
