package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.address.PathText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz test for paths. An accepted path must have no dot segments, no encoded separators and no control characters. Only its last segment
 * may be empty. For simple paths, {@link RequestPath#of} does not use {@link RequestPathReader}. For each path, both must give the same
 * decoded path, or both must refuse the path.
 * If a decoded path is encoded and decoded again, the result must be the same.
 */
class RequestPathFuzzTest {

    /** A method that reads a path. */
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
    void anAcceptedPathIsNormalised(byte[] data) {
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
