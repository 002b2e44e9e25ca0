package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The redirects of the container must lead to the requested host, for each path. */
class OpenRedirectTest {

    @TempDir
    Path folder;

    private static void assertRedirectsTo(String location, RawExchange exchange) {
        assertTrue(exchange.status() == 302 || exchange.status() == 307, exchange.text());
        assertEquals(List.of(location), exchange.values("Location"));
    }

    @Test
    void redirectsThatAddASlashToADirectoryPathStayOnTheRequestedHost() throws Exception {
        Files.createDirectories(folder.resolve("evil.example/deep"));
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .war("/", folder)
                .start()) {
            String root = "http://good.example/evil.example/";
            assertRedirectsTo(root, RawExchange.get(server, "/evil.example"));
            assertRedirectsTo(root, RawExchange.get(server, "//evil.example"));
            assertRedirectsTo(root, RawExchange.get(server, "///evil.example"));
            assertRedirectsTo(root, RawExchange.get(server, "//evil.example;a=b"));
            assertRedirectsTo(root, RawExchange.get(server, "//a/..//evil.example"));
            assertRedirectsTo(root, RawExchange.get(server, "http://good.example//evil.example"));
            assertRedirectsTo(root + "deep/", RawExchange.get(server, "//evil.example/deep"));
            assertRedirectsTo(root + "?//evil.example", RawExchange.get(server, "//evil.example?//evil.example"));
            for (String refused :
                    List.of("/%2fevil.example", "/%5cevil.example", "/\\evil.example", "//evil.example%0d")) {
                assertEquals(400, RawExchange.get(server, refused).status(), refused);
            }
        }
    }

    @Test
    void redirectsThatAddASlashToAContextPathStayOnTheRequestedHost() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/evil.example", context -> {})
                .start()) {
            String root = "http://good.example/evil.example/";
            assertRedirectsTo(root, RawExchange.get(server, "/evil.example"));
            assertRedirectsTo(root, RawExchange.get(server, "//evil.example"));
            assertRedirectsTo(root, RawExchange.get(server, "//evil.example;a=b"));
            assertRedirectsTo(root + "?a=//b", RawExchange.get(server, "//evil.example?a=//b"));
        }
    }
}
