package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.websocket.DeploymentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSocket 2.2 section 3.1.1: which endpoint a path leads to. */
class PathTemplateTest {
    private final PathTemplate.Endpoints<String> endpoints = new PathTemplate.Endpoints<>();

    private String add(String path) throws DeploymentException {
        return endpoints.add(new PathTemplate(path), path);
    }

    private String find(String path) {
        return endpoints.find(path, (endpoint, values) -> endpoint + " " + values);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "/a//b", "/a/./b", "/a/../b", "/..", "/a{x}", "/{x}/{x}", "/{}", "/{+x}", "/{x", "/%zz"
            })
    void aMalformedPathIsRefused(String path) {
        assertThrows(DeploymentException.class, () -> new PathTemplate(path));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "/a/b/c; /a/b/c {}",
                "/a/d/c; /a/{var}/c {var=d}",
                "/a/x/y; /a/{var1}/{var2} {var1=x, var2=y}",
                "/b/d; /b/{var2} {var2=d}",
                "/x/d; /{var1}/d {var1=x}",
                "/a/b/; /a/b/ {}",
                "/; / {}",
                "/caf\u00e9; /caf%C3%A9 {}",
            })
    void theBestMatchIsFoundFromLeftToRight(String path, String expected) throws DeploymentException {
        for (String known : new String[] {
            "/a/{var}/c", "/a/b/c", "/a/{var1}/{var2}", "/{var1}/d", "/b/{var2}", "/a/b/", "/", "/caf%C3%A9"
        }) {
            assertNull(add(known));
        }
        assertEquals(expected, find(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "/a/", "/a/b/", "/a/b/c", "", "/"})
    void aVariableStandsForOneSegmentThatIsNotEmpty(String path) throws DeploymentException {
        add("/a/{var}");
        assertNull(find(path));
    }

    @Test
    void anEquivalentTemplateIsFound() throws DeploymentException {
        assertNull(add("/a/{x}"));
        assertEquals("/a/{x}", add("/a/{y}"));
        assertNull(add("/a/b"));
        assertEquals("/a/b", add("/a/b"));
    }
}
