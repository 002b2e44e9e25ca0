package io.penstock.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;

/**
 * Fuzz test for PROXY headers. The reader must find the same header or the same error in the whole input, in two pieces, and byte by byte.
 * The number of remaining bytes must be the same, too.
 */
class HeaderReaderFuzzTest {

    private static String read(byte[] data, int first, int step) {
        HeaderReader reader = new HeaderReader();
        int at = 0;
        try {
            for (int size = first; at < data.length; size = step) {
                ByteBuffer part = ByteBuffer.wrap(data, at, Math.min(size, data.length - at));
                ProxyHeader header = reader.read(part);
                at = part.position();
                if (header != null) {
                    return header + ", " + (data.length - at) + " left";
                }
            }
        } catch (ProxyHeader.Malformed e) {
            return String.valueOf(e.getMessage());
        }
        return "incomplete";
    }

    @FuzzTest
    void headersAreTheSameWhereverTheyAreCut(byte[] data) {
        if (data.length == 0) {
            return;
        }
        String whole = read(data, data.length, data.length);
        assertEquals(whole, read(data, 1, 1));
        for (int cut = 1; cut < data.length; cut += 1 + data.length / 20) {
            assertEquals(whole, read(data, cut, data.length));
        }
    }
}
