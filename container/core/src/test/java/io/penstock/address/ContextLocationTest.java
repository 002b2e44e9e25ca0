package io.penstock.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each location of a context has one canonical spelling. */
class ContextLocationTest {

    @ParameterizedTest
    @CsvSource({
        "'', /, '', ''",
        "/, /, '', ''",
        "/shop, /shop, '', /shop",
        "/shop/admin, /shop/admin, '', /shop/admin",
        "//www.example.org, //www.example.org/, www.example.org, ''",
        "//www.example.org/, //www.example.org/, www.example.org, ''",
        "//WWW.Example.org./Shop, //www.example.org/Shop, www.example.org, /Shop",
        "//*.Example.org/shop, //*.example.org/shop, *.example.org, /shop",
        "//[2001:DB8::1]/shop, //[2001:db8:0:0:0:0:0:1]/shop, [2001:db8:0:0:0:0:0:1], /shop",
        "//192.0.2.1, //192.0.2.1/, 192.0.2.1, ''",
        "//shop, //shop/, shop, ''",
        "/my app, /my%20app, '', /my app",
        "/my%20app, /my%20app, '', /my app",
        "//a/caf\u00e9, //a/caf%C3%A9, a, /caf\u00e9",
        "/caf%c3%a9, /caf%C3%A9, '', /caf\u00e9"
    })
    void validLocationsAreParsed(String text, String name, String host, String contextPath) {
        assertEquals(new ContextLocation(host, contextPath), ContextLocation.parse(text));
        assertEquals(name, ContextLocation.canonical(text));
        assertEquals(name, ContextLocation.canonical(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop",
                "/shop/",
                "/a//b",
                "//",
                "///",
                "///shop",
                "//*/",
                "//a:80/",
                "//a//b",
                "//a/b/",
                "//a/b//c",
                "//a b/",
                "//m\u00fcller.example/",
                "/a%2fb",
                "/a%",
                "/a%zz",
                "/a%ff",
                "/a%2f",
                "http://a/"
            })
    void invalidLocationsAreRefused(String text) {
        assertNull(ContextLocation.read(text));
        assertEquals(text, ContextLocation.canonical(text));
        assertThrows(IllegalArgumentException.class, () -> ContextLocation.parse(text));
    }

    @Test
    void theErrorForAnInvalidLocationShowsTheValidSyntax() {
        assertEquals(
                "the context path must be / or like /shop, not 'shop'",
                assertThrows(IllegalArgumentException.class, () -> ContextLocation.parse("shop"))
                        .getMessage());
        assertEquals(
                "a context of a host is written //www.example.org/shop, //*.example.org/ or //[2001:db8::1]/, without"
                        + " a port and in ASCII, not '//a:80/'",
                assertThrows(IllegalArgumentException.class, () -> ContextLocation.parse("//a:80/"))
                        .getMessage());
    }
}
