package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedirectTest {

    private static String absolute(String location) {
        return Redirect.absolute(location, "http", "http://h:8080", "/app/dir/page");
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
    void aLocationBecomesAbsolute(String location, String expected) {
        if (expected == null) {
            assertThrows(IllegalArgumentException.class, () -> absolute(location));
        } else {
            assertEquals(expected, absolute(location));
        }
    }

    @Test
    void nothingInALocationCanEndTheHeaderLine() {
        assertEquals("http://h:8080/a%0D%0ASet-Cookie:%20x", absolute("/a\r\nSet-Cookie: x"));
        assertEquals("http://h:8080/%C3%A9", absolute("/é"));
    }
}
