package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the access logs of applications and of paths below them: {@code /shop:access-log = FILE}. */
class AccessLogsOfPathsTest {
    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    private static final class Hello extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().print("Hello");
        }
    }

    private Penstock.Builder server() {
        Penstock.Builder server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("access-log", file("access.log"))
                .set("access-log-format", "common");
        for (String path : List.of("/", "/shop", "/quiet", "//www.example.org/shop")) {
            server.context(path, context -> context.servlet("hello", new Hello(), "/hello/*"));
        }
        return server;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    /** The targets of the requests in a file. */
    private List<String> targets(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name), StandardCharsets.US_ASCII).stream()
                .map(line -> line.replaceAll(".*\"[A-Z-]+ (\\S+) .*\" .*", "$1"))
                .toList();
    }

    @Test
    void theLineOfARequestIsInTheLogOfTheLongestPathThatCoversIt() throws Exception {
        try (Penstock server = server().set("/shop:access-log", file("shop.log"))
                .set("/shop/hello/api:access-log", file("api.log"))
                .set("/quiet:access-log", "none")
                .set("/quiet/hello/loud:access-log", file("loud.log"))
                .start()) {
            RawExchange.get(server, "/hello/");
            RawExchange.get(server, "/shop/hello/1");
            RawExchange.get(server, "/shop");
            RawExchange.get(server, "/shop/missing");
            RawExchange.get(server, "/sho%70/hello/2?q=/");
            RawExchange.get(server, "http://good.example/shop/hello/3");
            RawExchange.get(server, "/shop/hello/api/4");
            RawExchange.get(server, "/shop/hello/apis");
            RawExchange.get(server, "/shopping/");
            RawExchange.get(server, "/quiet/hello/");
            RawExchange.get(server, "/quiet/hello/loud/5");
            RawExchange.get(server, "/shop/%zz");
            RawExchange.of(server, "(nonsense)\r\n\r\n");
            RawExchange.of(server, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        }
        assertEquals(5, targets("access.log").size(), () -> "other lines");
        assertEquals(
                List.of("/hello/", "/shopping/", "/shop/%zz"),
                targets("access.log").subList(0, 3));
        assertEquals(
                List.of(
                        "/shop/hello/1",
                        "/shop",
                        "/shop/missing",
                        "/sho%70/hello/2?q=/",
                        "http://good.example/shop/hello/3",
                        "/shop/hello/apis"),
                targets("shop.log"));
        assertEquals(List.of("/shop/hello/api/4"), targets("api.log"));
        assertEquals(List.of("/quiet/hello/loud/5"), targets("loud.log"));
    }

    @Test
    void anApplicationOfAHostHasItsOwnLogAndTheServerNeedsNone() throws Exception {
        try (Penstock server = server().set("access-log", "none")
                .set("//www.example.org/shop:access-log", file("www.log"))
                .start()) {
            RawExchange.get(server, "/shop/hello/other");
            RawExchange.of(
                    server, "GET /shop/hello/www HTTP/1.1\r\nHost: WWW.example.org:80\r\nConnection: close\r\n\r\n");
        }
        assertEquals(List.of("/shop/hello/www"), targets("www.log"));
        assertTrue(Files.notExists(folder.resolve("access.log")));
    }

    /** With rotation, a second writer of a file would not start. */
    @Test
    void aFileThatSeveralKeysNameHasOneWriterWithOneRotation() throws Exception {
        try (Penstock server = server().set("access-log-rotate", "daily")
                .set("/shop:access-log", folder.resolve("x/../access.log").toString())
                .set("/quiet:access-log", file("quiet.log"))
                .set("/quiet/hello:access-log", file("quiet.log"))
                .start()) {
            RawExchange.get(server, "/hello/");
            RawExchange.get(server, "/shop/hello/");
            RawExchange.get(server, "/quiet/");
            RawExchange.get(server, "/quiet/hello/");
            long writers = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("log-writer"))
                    .count();
            assertEquals(2, writers);
            await().until(() -> targets("quiet.log").size() == 2);
            Files.move(folder.resolve("quiet.log"), folder.resolve("moved.log"));
            server.reopenLogs();
            await().until(() -> Files.exists(folder.resolve("quiet.log")));
            RawExchange.get(server, "/quiet/");
        }
        assertEquals(List.of("/hello/", "/shop/hello/"), targets("access.log"));
        assertEquals(List.of("/quiet/"), targets("quiet.log"));
    }

    @Test
    void theServerDoesNotStartIfALogOfAPathCannotBeWritten() {
        assertFails("/shop:access-log: cannot be written: ", server().set("/shop:access-log", folder.toString()));
        assertFails("/shop/*:access-log: write /shop:access-log", server().set("/shop/*:access-log", file("a.log")));
        assertFails(
                "access-log-format: 'nonsense' is neither",
                server().set("access-log", "none")
                        .set("access-log-format", "nonsense")
                        .set("/shop:access-log", file("a.log")));
    }

    private static void assertFails(String line, Penstock.Builder builder) {
        StartException failed = assertThrows(StartException.class, builder::start);
        assertTrue(String.valueOf(failed.getMessage()).startsWith(line), failed.getMessage());
    }
}
