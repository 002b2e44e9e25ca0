package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Messages about mistakes of applications name what is wrong: the filter, the request, the cookie. */
class ApplicationMistakesTest {
    private interface Code {
        void run(HttpServletRequest request, HttpServletResponse response) throws IOException;
    }

    private static HttpServlet servlet(Code code) {
        return new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                code.run(request, response);
            }
        };
    }

    /** Answers with the message of the exception. */
    private static HttpServlet failing(Code code) {
        return servlet((request, response) -> {
            try {
                code.run(request, response);
            } catch (IllegalStateException | IllegalArgumentException e) {
                response.getWriter().print(e.getMessage());
            }
        });
    }

    private static Penstock server(Consumer<Context> application) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", application)
                .start();
    }

    private static Consumer<Context> starting(boolean filterSupports, boolean servletSupports) {
        return context -> context.initializer((types, servletContext) -> {
            var servlet = servletContext.addServlet("report", failing((request, response) -> {
                request.startAsync().complete();
            }));
            servlet.addMapping("/report");
            servlet.setAsyncSupported(servletSupports);
            var filter =
                    servletContext.addFilter("auth", (request, response, chain) -> chain.doFilter(request, response));
            filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
            filter.setAsyncSupported(filterSupports);
        });
    }

    @Test
    void startAsyncWithoutSupportNamesTheFilterOrTheServlet() throws Exception {
        try (Penstock server = server(starting(false, false))) {
            String message = RawExchange.get(server, "/report").body();
            assertTrue(message.startsWith("The filter auth does not support asynchronous processing"), message);
        }
        try (Penstock server = server(starting(true, false))) {
            String message = RawExchange.get(server, "/report").body();
            assertTrue(message.startsWith("The servlet report does not support asynchronous processing"), message);
        }
        try (Penstock server = server(starting(true, true))) {
            assertEquals("", RawExchange.get(server, "/report").body());
        }
    }

    @Test
    void asynchronousRequestsThatTimeOutLeaveOneLineInTheLog() throws Exception {
        LoggerFactory.getLogger(ApplicationMistakesTest.class);
        int before = Files.readAllBytes(LogInjectionTest.LOG).length;
        HttpServlet forgetful =
                servlet((request, response) -> request.startAsync().setTimeout(1));
        try (Penstock server = server(context -> context.servlet("s", forgetful, "/forgotten-by-the-application"))) {
            for (int i = 0; i < 3; i++) {
                assertEquals(
                        500,
                        RawExchange.get(server, "/forgotten-by-the-application").status());
            }
        }
        byte[] all = Files.readAllBytes(LogInjectionTest.LOG);
        String log = new String(all, before, all.length - before, Charset.defaultCharset());
        assertEquals(
                1,
                log.lines()
                        .filter(line -> line.contains("GET /forgotten-by-the-application")
                                && line.contains("gets status 500: its asynchronous processing has timed out"))
                        .count(),
                log);
    }

    @Test
    void anErrorPageThatReadsParametersIsShownAfterAMalformedQueryOrForm() throws Exception {
        HttpServlet reading =
                servlet((request, response) -> response.getWriter().print(request.getParameter("name")));
        HttpServlet page = servlet((request, response) -> response.getWriter()
                .print("own page " + request.getParameter("of") + " " + request.getParameter("name") + " "
                        + request.getParameterMap().size()));
        try (Penstock server = server(context -> context.servlet("reading", reading, "/reading")
                .servlet("page", page, "/page")
                .errorPage("/page?of=errors"))) {
            RawExchange query = RawExchange.get(server, "/reading?name=%zz");
            assertEquals(400, query.status());
            assertEquals("own page errors null 1", query.body());
            RawExchange form = RawExchange.of(
                    server,
                    "POST /reading HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nname=%zz");
            assertEquals(400, form.status());
            assertEquals("own page errors null 1", form.body());
            // A parameter of a request without an error page is still refused, and good parameters are still seen.
            assertEquals(
                    "own page errors good 2",
                    RawExchange.get(server, "/nowhere?name=good").body());
        }
    }

    /** As before, for bodies that are beyond a limit, in an unknown charset, or no multipart body. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/x-www-form-urlencoded                  | a=1&b=2&c=3&d=4                             | 400
            application/x-www-form-urlencoded                  | a=123456789012345678901234567890            | 413
            application/x-www-form-urlencoded; charset=klingon | a=1                                         | 415
            multipart/form-data                                | a=1                                         | 400
            multipart/form-data; boundary=cut                  | --cut~Content-Disposition: form-data; name=a~~1 | 400
            multipart/form-data; boundary=cut                  | --cut~nonsense~~1~--cut--~                  | 400
            """)
    void anErrorPageThatReadsParametersIsShownAfterABodyThatIsRefused(String type, String content, int status)
            throws Exception {
        HttpServlet reading =
                servlet((request, response) -> response.getWriter().print(request.getParameter("name")));
        HttpServlet page = servlet((request, response) ->
                response.getWriter().print("own page " + request.getParameter("of") + request.getParameter("a")));
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("form-limit", "30")
                .set("max-parameters", "3")
                .context("/", context -> context.servlet("reading", reading, new MultipartConfigElement(""), "/reading")
                        .servlet("page", page, "/page")
                        .errorPage("/page?of=errors"))
                .start()) {
            String body = content.replace("~", "\r\n");
            RawExchange answer = RawExchange.of(
                    server,
                    "POST /reading HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: " + type
                            + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            assertEquals(status, answer.status(), answer.text());
            assertEquals("own page errorsnull", answer.body());
        }
    }

    @Test
    void descriptorsOf0BytesDeclareNothing(@TempDir Path folder) throws Exception {
        byte[] library = Packing.empty()
                .with("META-INF/web-fragment.xml", "")
                .with("META-INF/resources/of-library.txt", "of the library")
                .archive();
        Path war = Packing.empty()
                .with("WEB-INF/web.xml", "")
                .with("WEB-INF/lib/library.jar", library)
                .with("index.html", "welcome")
                .archive(folder.resolve("shop.war"));
        try (Penstock server =
                Penstock.builder().host("127.0.0.1").port(0).war("/", war).start()) {
            assertEquals("welcome", RawExchange.get(server, "/").body());
            assertEquals(
                    "of the library", RawExchange.get(server, "/of-library.txt").body());
        }
    }

    @Test
    void aCookieThatCannotBeSentIsNamedWithTheCharacter() throws Exception {
        HttpServlet greeting = failing((request, response) -> {
            Cookie cookie = new Cookie("city", request.getParameter("in") == null ? "M\u00fcnchen" : "x");
            if (request.getParameter("in") != null) {
                cookie.setAttribute("Note", "\u20ac");
            }
            response.addCookie(cookie);
        });
        try (Penstock server = server(context -> context.servlet("s", greeting, "/*"))) {
            String value = RawExchange.get(server, "/").body();
            assertTrue(value.startsWith("cookie city has a value that cannot be sent: U+00FC at index 1."), value);
            String attribute = RawExchange.get(server, "/?in=attribute").body();
            assertTrue(
                    attribute.startsWith(
                            "cookie city: cookie attribute Note has a value that cannot be sent: U+20AC at index 0."),
                    attribute);
        }
    }
}
