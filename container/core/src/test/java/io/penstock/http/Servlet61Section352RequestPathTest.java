package io.penstock.http;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

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
        assertEquals(
                List.of("x", "y", "jsessionid", "x"),
                path.parameters().stream().map(RequestPath.Parameter::name).toList());
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
            RequestPath.of("/a/..".repeat(200_000));
        });
    }
}
