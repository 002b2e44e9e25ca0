package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.request.PathText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Any bytes as a path: what is accepted has no dot segments, no empty ones, no hidden separators and no control characters; the short cut
 * for plain paths takes nothing that the whole pipeline would not; and what was decoded comes out the same when it is encoded again.
 */
class RequestPathFuzzTest {

    /** One way of reading a path. */
    private interface Reader {
        RequestPath read(String raw) throws Violation;
    }

    private static @Nullable String decoded(Reader reader, String raw) {
        try {
            return reader.read(raw).decoded();
        } catch (Violation refused) {
            assertEquals(400, refused.status());
            return null;
        }
    }

    @FuzzTest
    void pathsMeanOneThing(byte[] data) {
        String raw = new String(data, StandardCharsets.ISO_8859_1);
        String path = decoded(RequestPath::of, raw);
        assertEquals(decoded(text -> new RequestPathReader(text).read(), raw), path);
        if (path == null) {
            return;
        }
        assertTrue(path.startsWith("/"), path);
        assertFalse(path.indexOf('\\') >= 0 || path.chars().anyMatch(Character::isISOControl), path);
        List<String> segments = List.of(path.substring(1).split("/", -1));
        assertFalse(segments.contains(".") || segments.contains(".."), path);
        assertFalse(segments.subList(0, segments.size() - 1).contains(""), path);
        String encoded = PathText.encode(path);
        assertTrue(encoded.chars().allMatch(c -> c > ' ' && c < 0x7f && ";?#\\".indexOf(c) < 0), encoded);
        assertEquals(path, decoded(RequestPath::of, encoded));
        assertNotNull(decoded(RequestPath::of, path.equals("/") ? "/a" : encoded + "/a"));
    }
}
