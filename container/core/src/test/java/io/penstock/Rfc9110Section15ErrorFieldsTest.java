package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * RFC 9110, section 15: some statuses need a field that otherwise describes the body. {@code sendError} replaces the body, but keeps the
 * fields that the status needs.
 */
class Rfc9110Section15ErrorFieldsTest {
    @TempDir
    static Path folder;

    /** Sets all fields that describe a body, and the value of {@code Content-Range} in the query. Then sends the status in the path. */
    private static final class Failing extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setHeader("Content-Range", request.getParameter("range"));
            response.setHeader("Content-Encoding", "br");
            response.setHeader("ETag", "\"v1\"");
            response.setHeader("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
            response.setContentType("video/mp4");
            response.sendError(Integer.parseInt(request.getPathInfo().substring(1)));
        }
    }

    private static final class Page extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("the page");
        }
    }

    private static RawExchange get(String target, boolean ownPage) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> {
                    context.servlet("failing", new Failing(), "/send/*").servlet("page", new Page(), "/page");
                    if (ownPage) {
                        context.errorPage(416, "/page");
                    }
                })
                .start()) {
            return RawExchange.get(server, target);
        }
    }

    @Test
    void status416KeepsTheLengthOfTheRepresentation() throws Exception {
        for (boolean ownPage : List.of(true, false)) {
            RawExchange answer = get("/send/416?range=bytes%20*/26", ownPage);
            assertEquals(416, answer.status());
            assertEquals(List.of("bytes */26"), answer.values("Content-Range"), answer.text());
            assertEquals(List.of(), answer.values("ETag"), answer.text());
            assertEquals(List.of(), answer.values("Content-Encoding"), answer.text());
            assertEquals(ownPage, answer.body().equals("the page"), answer.text());
        }
    }

    @EnableWebMvc
    public static class SpringFiles implements WebMvcConfigurer {
        @Override
        public void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/**")
                    .addResourceLocations(folder.toUri().toString());
        }
    }

    /** The resource handler of Spring sets the field, and calls {@code sendError}. */
    @Test
    void status416OfAFileOfSpringKeepsTheLengthOfTheFile() throws Exception {
        Files.writeString(folder.resolve("letters.txt"), "abcdefghijklmnopqrstuvwxyz");
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(SpringFiles.class);
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("mvc", new DispatcherServlet(beans), "/"))
                .start()) {
            RawExchange part = RawExchange.get(server, "/letters.txt", "Range: bytes=24-");
            assertEquals("yz", part.body());
            RawExchange answer = RawExchange.get(server, "/letters.txt", "Range: bytes=26-");
            assertEquals(416, answer.status());
            assertEquals(List.of("bytes */26"), answer.values("Content-Range"), answer.text());
        }
    }

    @Test
    void status416DropsARangeThatNoLongerIsInTheBody() throws Exception {
        assertEquals(List.of(), get("/send/416?range=bytes%200-4/26", false).values("Content-Range"));
    }

    @Test
    void otherErrorsHaveNoFieldsOfTheReplacedBody() throws Exception {
        RawExchange answer = get("/send/500?range=bytes%20*/26", false);
        for (String field : List.of("Content-Range", "ETag", "Last-Modified", "Content-Encoding")) {
            assertEquals(List.of(), answer.values(field), answer.text());
        }
        assertTrue(answer.values("Content-Type").get(0).startsWith("text/html"), answer.text());
    }

    /** RFC 9110 section 15.4.5: caches need the validators to find the stored response that is still valid. */
    @Test
    void status304KeepsTheValidators() throws Exception {
        RawExchange answer = get("/send/304", false);
        assertEquals(304, answer.status());
        assertEquals(List.of("\"v1\""), answer.values("ETag"), answer.text());
        assertEquals(List.of("Sun, 06 Nov 1994 08:49:37 GMT"), answer.values("Last-Modified"), answer.text());
        for (String field : List.of("Content-Encoding", "Content-Type", "Content-Length")) {
            assertEquals(List.of(), answer.values(field), answer.text());
        }
    }
}
