package io.penstock.http;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the example paths of Servlet 6.1 section 3.5.2, and further paths that attackers use. */
class Servlet61Section352RequestPathTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/foo/bar | /foo/bar",
                "/foo/bar;jsessionid=1234 | /foo/bar",
                "/foo/bar/ | /foo/bar/",
                "/foo/bar/;jsessionid=1234 | /foo/bar/",
                "/foo;/bar; | /foo/bar",
                "/foo;/bar;/; | /foo/bar/",
                "/foo/b%25r | /foo/b%r",
                "/foo/./bar | /foo/bar",
                "/foo/././bar | /foo/bar",
                "/./foo/bar | /foo/bar",
                "/foo/bar/. | /foo/bar",
                "/foo/bar/./ | /foo/bar/",
                "/foo/bar/./; | /foo/bar/",
                "/foo/.bar | /foo/.bar",
                "/foo/../bar | /bar",
                "/foo/./../bar | /bar",
                "/foo/bar/.. | /foo",
                "/foo/bar/../ | /foo/",
                "/foo/bar/../; | /foo/",
                "/foo/..bar | /foo/..bar",
                "/foo/pass:[...]/bar | /foo/pass:[...]/bar",
                "/foo//bar | /foo/bar",
                "//foo//bar// | /foo/bar/",
                "/foo//../bar | /bar",
                "/foo%E2%82%ACbar | /foo\u20acbar",
                "/foo%20bar | /foo bar",
                "/foo+bar | /foo+bar",
                "/foo/bar;? | /foo/bar",
                "/ | /",
                "// | /",
                "/. | /",
                "/./ | /",
                "/a/.. | /",
                "/a/../ | /",
                "/... | /...",
                "/%2525 | /%25",
            })
    void aPathIsDecodedOnceAndNormalised(String raw, String decoded) throws Violation {
        String path = raw.endsWith("?") ? raw.substring(0, raw.length() - 1) : raw;
        assertEquals(decoded, RequestPath.of(path).decoded());
        assertEquals(path, RequestPath.of(path).raw());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "foo/bar",
                "./foo/bar/",
                "%2e/foo/bar/",
                "../foo/bar/",
                ";/foo/bar/",
                "*",
                "/foo%00/bar/",
                "/foo%7Fbar",
                "/foo%0d%0abar",
                "/foo\tbar",
                "/foo\u0001bar",
                "/foo%C2%85bar",
                "/foo%2Fbar",
                "/foo%2fbar",
                "/foo%2Fb%25r",
                "/foo\\bar",
                "/foo%5Cbar",
                "/foo;%2F/bar",
                "/foo;a=\\b/bar",
                "/foo;a=%00/bar",
                "/foo;a=%zz/bar",
                "/foo/%2e/bar",
                "/foo/.;/bar",
                "/foo/%2e;/bar",
                "/foo/.%2Fbar",
                "/foo/.%5Cbar",
                "/foo/bar/.;",
                "/foo/../../bar",
                "/../foo/bar",
                "/foo/%2e%2E/bar",
                "/foo/.%2E/bar",
                "/foo/%2e%2e/%2E%2E/bar",
                "/foo/..;/bar",
                "/foo/..;a=b/bar",
                "/foo/%2e%2E;/bar",
                "/foo/..%2Fbar",
                "/foo/..%5Cbar",
                "/foo/bar/..;",
                "/;/foo;/;/bar/;/;",
                "/foo/;/../bar",
                "/foo%E2%82",
                "/foo%E2%82bar",
                "/foo%-1/bar",
                "/foo%XX/bar",
                "/foo%/bar",
                "/foo/bar%0",
                "/foo/bar%",
                "/good%20/bad%/%20mix%",
                "/foo/bar#f",
                "/foo?q",
                "/;/",
                "/..",
                "/../",
                // Overlong UTF-8 forms of '/' and '.', a surrogate, and a value beyond U+10FFFF.
                "/%C0%AFetc",
                "/%E0%80%AFetc",
                "/%C0%AE%C0%AE/etc",
                "/%ED%A0%80",
                "/%F4%90%80%80",
                "/%80",
                "/%FE",
                "/f\u00fc",
            })
    void anAmbiguousOrMalformedPathIsRefused(String raw) {
        assertEquals(
                400, assertThrows(Violation.class, () -> RequestPath.of(raw)).status());
    }

    @Test
    void aCanonicalPathIsNotCopied() throws Violation {
        String raw = "/app/js/main.js";
        assertSame(raw, RequestPath.of(raw).decoded());
    }

    @Test
    void pathParametersAreRemovedFromThePathAndReadSeparately() throws Violation {
        RequestPath path = RequestPath.of("/a;x=1;y/b;jsessionid=A%20B;x=2;;=z");
        assertEquals("/a/b", path.decoded());
        assertEquals("A B", path.parameter("jsessionid"));
        assertEquals("1", path.parameter("x"));
        assertEquals("", path.parameter("y"));
        assertNull(path.parameter("JSESSIONID"));
        assertNull(path.parameter(""));
        assertNull(path.parameter("z"));
        assertNull(path.parameter("b"));
        assertTrue(path.mayHaveParameters());
        assertFalse(RequestPath.of("/a%3Bx=1").mayHaveParameters());
        assertNull(RequestPath.of("/a%3Bx=1").parameter("x"));
    }

    @Test
    void theFirstParameterIsFoundLikeInAListOfAllParameters() throws Violation {
        String alphabet = "ab/;;==";
        Random random = new Random(36);
        for (int round = 0; round < 100_000; round++) {
            StringBuilder raw = new StringBuilder("/a;");
            for (int length = random.nextInt(12); length > 0; length--) {
                raw.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            RequestPath path;
            try {
                path = RequestPath.of(raw.toString());
            } catch (Violation refused) {
                continue;
            }
            for (String name : List.of("a", "b", "aa")) {
                assertEquals(firstOfList(raw.toString(), name), path.parameter(name), raw + " " + name);
            }
        }
    }

    /** Splits the path into segments, and the segments into parameters. */
    private static String firstOfList(String raw, String name) {
        for (String segment : raw.split("/")) {
            String[] parts = segment.split(";");
            for (int i = 1; i < parts.length; i++) {
                String[] both = (parts[i] + " ").split("=", 2);
                if (both[0].strip().equals(name)) {
                    return both.length == 1 ? "" : both[1].strip();
                }
            }
        }
        return null;
    }

    @Test
    void aPathFromTheApplicationCanContainUnencodedCharacters() throws Violation {
        assertEquals(
                "/f\u00fc\u20ac/x y",
                RequestPath.ofApplication("/f\u00fc\u20ac/x%20y").decoded());
        assertEquals("/a b", RequestPath.ofApplication("/a b").decoded());
        assertThrows(Violation.class, () -> RequestPath.ofApplication("/a/../.."));
    }

    @Test
    void decodedPathsHaveNoDotSegmentsOrEmptySegments() throws Violation {
        String alphabet = "ab/.;%2eEfF5c=?\\#\u0080 ";
        Random random = new Random(61);
        for (int round = 0; round < 200_000; round++) {
            StringBuilder raw = new StringBuilder("/");
            for (int length = random.nextInt(12); length > 0; length--) {
                raw.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String decoded;
            try {
                decoded = RequestPath.of(raw.toString()).decoded();
            } catch (Violation refused) {
                assertEquals(400, refused.status());
                continue;
            }
            List<String> segments = List.of(decoded.substring(1).split("/", -1));
            assertEquals(-1, segments.indexOf("."), decoded);
            assertEquals(-1, segments.indexOf(".."), decoded);
            assertEquals(-1, segments.subList(0, segments.size() - 1).indexOf(""), decoded);
        }
    }

    @Test
    void longPathsAreParsedInLinearTime() {
        assertTimeoutPreemptively(PATIENCE, () -> {
            RequestPath.of("/a".repeat(500_000) + ";");
            RequestPath.of("/a" + ";".repeat(1_000_000));
            RequestPath.of("/a" + ";b".repeat(500_000)).parameter("a");
            RequestPath.of("/a/..".repeat(200_000));
        });
    }
}
