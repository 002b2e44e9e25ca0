package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A security constraint applies to every spelling of a path, and to every path that leads to the same resource. The tests use files and
 * servlets, over real sockets.
 */
class ConstraintSpellingTest {
    @TempDir
    Path folder;

    private final WhoServlet servlet = new WhoServlet();
    private Penstock server;

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @BeforeEach
    void start() throws Exception {
        write("secret/page.html", "forbidden");
        write("secret/index.html", "forbidden");
        write("page.do", "forbidden");
        write("pages/index.html", "forbidden");
        write("open/index.html", "shown");
        write("docs/index.html", "forbidden");
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.resources(folder)
                        .servlet("secret", servlet, "/secret/servlet/*", "*.do")
                        .constrain("/secret/*", "staff")
                        .constrain("*.do", "staff")
                        .constrain("/pages/index.html", "staff")
                        .initializer((classes, application) ->
                                application.getServletRegistration("default").addMapping("/docs/*"))
                        .constrain("/docs/index.html", "staff")
                        .basicLogin("office"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/app/secret/page.html",
                "/app/secret/servlet",
                "/app/secret/servlet/more",
                "/app/secret",
                "/app/secret/",
                "/app/%73ecret/page.html",
                "/app/s%65cret/servlet",
                "/app/secret;a=b/page.html",
                "/app/secret/page.html;jsessionid=1",
                "/app;x/secret/page.html",
                "//app/secret/page.html",
                "/app//secret/page.html",
                "/app/secret//page.html",
                "/app/./secret/page.html",
                "/app/open/../secret/page.html",
                "/app/open/%2e%2e/secret/page.html",
                "/app/open/..;/secret/page.html",
                "/app/open/..%2fsecret/page.html",
                "/app/%2fsecret/page.html",
                "/app/secret%2fpage.html",
                "/app/secret%5cpage.html",
                "/app/secret\\page.html",
                "/app/SECRET/page.html",
                "/app/%2573ecret/page.html",
                "/app/secret%00/page.html",
                "/app/secret/%70age.html%00",
                "/app/secre%C1%B4/page.html",
                "/app/page.do",
                "/app/page.d%6f",
                "/app/page.do;x=.html",
                "/app/page.do/",
                "/app/pages/",
                "/app/pages",
                "/app/pages/index.html",
                "/app/pages/%69ndex.html",
                "/app/docs/",
                "/app/docs/index.html",
                "http://good.example/app/secret/page.html",
                "http://good.example/app/secret/servlet"
            })
    void anotherSpellingOfThePathDoesNotBypassTheConstraint(String target) throws IOException {
        for (String method : new String[] {"GET", "POST", "HEAD"}) {
            RawExchange answer = RawExchange.of(
                    server, method + " " + target + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n");
            // A redirect to the same path with a slash at its end is permitted.
            boolean redirected = answer.status() == 302 || answer.status() == 307;
            assertTrue(redirected || answer.status() >= 400 && answer.status() < 500, () -> method + " " + answer);
            assertFalse(answer.text().contains("forbidden"), answer.text());
        }
        assertEquals(0, servlet.calls());
    }

    @Test
    void anAuthorizedUserGetsThePageForEverySpellingOfItsPath() throws IOException {
        String ann = "Authorization: Basic YW5uOnNlY3JldA==";
        for (String target : new String[] {
            "/app/secret/page.html",
            "/app/%73ecret/page.html",
            "/app/secret;a=b/page.html",
            "/app/pages/",
            "/app/secret/"
        }) {
            assertEquals("forbidden", RawExchange.get(server, target, ann).body(), target);
        }
        assertEquals("shown", RawExchange.get(server, "/app/open/").body());
    }
}
