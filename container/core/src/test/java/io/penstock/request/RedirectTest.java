package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.ServerConfig.Redirects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedirectTest {
    private static final Authority AUTHORITY = new Authority("http", "h", 8080);

    private static String absolute(String location) {
        return Redirect.location(location, Redirects.ABSOLUTE, AUTHORITY, "/app/dir/page");
    }

    private static String relative(String location, String path) {
        return Redirect.location(location, Redirects.RELATIVE, AUTHORITY, path);
    }

    @ParameterizedTest
    @CsvSource({
        "https://other/x,            https://other/x",
        "mailto:a@b,                 mailto:a@b",
        "//other/x,                  http://other/x",
        "/root,                      http://h:8080/root",
        "next,                       http://h:8080/app/dir/next",
        "./next?a=../b,              http://h:8080/app/dir/next?a=../b",
        "../up,                      http://h:8080/app/up",
        "../../..,                   ",
        "?q=1,                       http://h:8080/app/dir/page?q=1",
        "'',                         http://h:8080/app/dir/page",
        "a:b/c,                      a:b/c",
        "1a:b,                       http://h:8080/app/dir/1a:b",
    })
    void aLocationBecomesAnAbsoluteUrl(String location, String expected) {
        if (expected == null) {
            assertThrows(IllegalArgumentException.class, () -> absolute(location));
        } else {
            assertEquals(expected, absolute(location));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://other/x,            https://other/x",
        "mailto:a@b,                 mailto:a@b",
        "//other/x,                  http://other/x",
        "http://h:8080/x,            http://h:8080/x",
        "/root,                      /root",
        "/root?to=//x#//y,           /root?to=//x#//y",
        "next,                       /app/dir/next",
        "./next?a=../b,              /app/dir/next?a=../b",
        "../up,                      /app/up",
        "../..,                      /",
        "?q=1,                       /app/dir/page?q=1",
        "#there,                     /app/dir/page#there",
        "'',                         /app/dir/page",
        "a:b/c,                      a:b/c",
        "1a:b,                       /app/dir/1a:b",
        "/a//b,                      /a//b",
    })
    void aLocationWithoutAHostBecomesAnAbsolutePath(String location, String expected) {
        assertEquals(expected, relative(location, "/app/dir/page"));
    }

    /**
     * Browsers read two slashes, or a slash and a backslash, as the beginning of a server name. If a path begins with these characters, the
     * container sends an absolute URL of this server.
     */
    @ParameterizedTest
    @CsvSource({
        "/x/..//evil.com,            /app/page,     http://h:8080//evil.com",
        "/.//evil.com,               /app/page,     http://h:8080//evil.com",
        "/x/../\\evil.com,           /app/page,     http://h:8080/\\evil.com",
        "/\\evil.com,                /app/page,     http://h:8080/\\evil.com",
        "/\\/evil.com,               /app/page,     http://h:8080/\\/evil.com",
        "/\\\\evil.com,              /app/page,     http://h:8080/\\\\evil.com",
        "..//evil.com,               /app/page,     http://h:8080//evil.com",
        ".//evil.com,                /page,         http://h:8080//evil.com",
        "\\evil.com,                 /page,         http://h:8080/\\evil.com",
        "\\evil.com,                 /app/page,     /app/\\evil.com",
        "?q,                         //evil.com/a,  http://h:8080//evil.com/a?q",
        "'',                         //evil.com/a,  http://h:8080//evil.com/a",
        "#f,                         //evil.com/a,  http://h:8080//evil.com/a#f",
        "next,                       //evil.com/a,  http://h:8080//evil.com/next",
        "./next,                     //evil.com/a,  http://h:8080//evil.com/next",
        "../..//evil.com,            /a/b/c,        http://h:8080//evil.com",
    })
    void aPathBecomesAnAbsoluteUrlIfItLooksLikeAServerName(String location, String path, String expected) {
        assertEquals(expected, relative(location, path));
    }

    /** Browsers remove tabs and line ends anywhere in a URL, and spaces at the beginning of a URL. */
    @Test
    void charactersArePercentEncodedIfBrowsersRemoveThem() {
        assertEquals("/%09/evil.com", relative("/\t/evil.com", "/page"));
        assertEquals("/%0A/evil.com", relative("/\n/evil.com", "/page"));
        assertEquals("/app/%20//evil.com", relative(" //evil.com", "/app/page"));
        assertEquals("/%00/evil.com", relative("/\0/evil.com", "/page"));
    }

    @Test
    void aLocationAboveTheRootIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> relative("../../..", "/app/dir/page"));
    }

    @Test
    void lineBreaksAndNonAsciiCharactersInALocationArePercentEncoded() {
        assertEquals("http://h:8080/a%0D%0ASet-Cookie:%20x", absolute("/a\r\nSet-Cookie: x"));
        assertEquals("http://h:8080/%C3%A9", absolute("/é"));
    }
}
