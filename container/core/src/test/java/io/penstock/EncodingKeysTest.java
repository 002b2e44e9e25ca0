package io.penstock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the charsets of requests and responses (Servlet 6.1 sections 3.12 and 5.6). Some applications of these tests set a charset, and
 * some set no charset.
 */
class EncodingKeysTest {
    private static final String WORD = "h\u00e4llo";
    private static final String WORD_IN_UTF_8 = new String(WORD.getBytes(UTF_8), ISO_8859_1);
    private static final String FORM = "application/x-www-form-urlencoded";

    @TempDir
    Path folder;

    /**
     * For GET, sends text in the charset of the response. For POST, sends whether the text of the request was decoded correctly, and the
     * charset of the request.
     */
    public static final class Echo extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            String own = request.getParameter("own");
            if (own != null) {
                response.setCharacterEncoding(own);
            }
            response.getWriter().print(WORD);
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String own = request.getHeader("X-Own");
            if (own != null) {
                request.setCharacterEncoding(own);
            }
            boolean text = request.getContentType().startsWith("text/");
            String word = text ? request.getReader().readLine() : request.getParameter("w");
            response.getOutputStream().print(WORD.equals(word) + " " + request.getCharacterEncoding());
        }
    }

    private static Penstock server(Consumer<Penstock.Builder> settings) throws StartException {
        Penstock.Builder builder = Penstock.builder().host("127.0.0.1").port(0);
        settings.accept(builder);
        return builder.start();
    }

    private static Penstock embedded(String encoding, Consumer<Context> definition) throws StartException {
        return server(builder -> builder.set("request-encoding", encoding)
                .set("response-encoding", encoding)
                .context("/", context -> {
                    context.servlet("echo", new Echo(), "/echo");
                    definition.accept(context);
                }));
    }

    /** @param word the bytes of the request body, one char for each byte */
    private static String post(Penstock server, String type, String word, String... lines) throws IOException {
        StringBuilder request = new StringBuilder("POST /echo HTTP/1.1\r\nHost: good.example\r\nContent-Type: " + type);
        for (String line : lines) {
            request.append("\r\n").append(line);
        }
        request.append("\r\nContent-Length: " + word.length() + "\r\nConnection: close\r\n\r\n" + word);
        RawExchange answer = RawExchange.of(server, request.toString());
        assertEquals(200, answer.status(), answer.text());
        return answer.whole();
    }

    private static void assertSends(Penstock server, String target, String charset, String word) throws IOException {
        RawExchange answer = RawExchange.get(server, target);
        assertEquals(List.of("text/plain;charset=" + charset), answer.values("Content-Type"));
        assertEquals(word, answer.whole());
    }

    @Test
    void theDefaultCharsetIsIso88591WithoutEncodingSettings() throws Exception {
        try (Penstock server =
                server(builder -> builder.context("/", context -> context.servlet("echo", new Echo(), "/echo")))) {
            assertEquals("true null", post(server, FORM, "w=" + WORD));
            assertEquals("true null", post(server, FORM, "w=h%E4llo"));
            assertEquals("false null", post(server, FORM, "w=" + WORD_IN_UTF_8));
            assertEquals("true null", post(server, "text/plain", WORD));
            assertSends(server, "/echo", "ISO-8859-1", WORD);
        }
    }

    @Test
    void theEncodingSettingsDefineTheDefaultCharsets() throws Exception {
        try (Penstock server = embedded("utf8", context -> {})) {
            assertEquals("true UTF-8", post(server, FORM, "w=" + WORD_IN_UTF_8));
            assertEquals("true UTF-8", post(server, FORM, "w=h%C3%A4llo"));
            assertEquals("true UTF-8", post(server, "text/plain", WORD_IN_UTF_8));
            assertSends(server, "/echo", "UTF-8", WORD_IN_UTF_8);
        }
    }

    @Test
    void aCharsetInARequestOrResponseOverridesTheEncodingSettings() throws Exception {
        try (Penstock server = embedded("UTF-8", context -> {})) {
            assertEquals("true iso-8859-1", post(server, FORM + ";charset=iso-8859-1", "w=" + WORD));
            assertEquals("true ISO-8859-1", post(server, FORM, "w=" + WORD, "X-Own: ISO-8859-1"));
            assertSends(server, "/echo?own=ISO-8859-1", "ISO-8859-1", WORD);
        }
    }

    @Test
    void theCharsetOfAnEmbeddedContextOverridesTheEncodingSettings() throws Exception {
        try (Penstock server =
                embedded("UTF-8", context -> context.requestEncoding(ISO_8859_1).responseEncoding(ISO_8859_1))) {
            assertEquals("true ISO-8859-1", post(server, FORM, "w=" + WORD));
            assertSends(server, "/echo", "ISO-8859-1", WORD);
        }
        try (Penstock server =
                embedded("none", context -> context.requestEncoding(UTF_8).responseEncoding(UTF_8))) {
            assertEquals("true UTF-8", post(server, FORM, "w=" + WORD_IN_UTF_8));
            assertSends(server, "/echo", "UTF-8", WORD_IN_UTF_8);
        }
    }

    @Test
    void anInitializerCanReplaceTheEncodingSettingsByACharsetOrByNull() throws Exception {
        ServletContainerInitializer own = (classes, context) -> {
            context.setRequestCharacterEncoding((String) null);
            context.setResponseCharacterEncoding("ISO-8859-1");
        };
        try (Penstock server = embedded("UTF-8", context -> context.initializer(own))) {
            assertEquals("true null", post(server, FORM, "w=" + WORD));
            assertSends(server, "/echo", "ISO-8859-1", WORD);
        }
    }

    private Packing application(String encodings) {
        return Packing.empty()
                .withClasses("WEB-INF/classes/", Echo.class)
                .with(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><servlet><servlet-name>echo</servlet-name><servlet-class>"
                                + Echo.class.getName() + "</servlet-class></servlet><servlet-mapping>"
                                + "<servlet-name>echo</servlet-name><url-pattern>/echo</url-pattern></servlet-mapping>"
                                + encodings + "</web-app>");
    }

    @Test
    void requestAndResponseCharsetsInWebXmlOverrideTheEncodingSettings() throws Exception {
        Path request = application("<request-character-encoding>ISO-8859-1</request-character-encoding>")
                .archive(folder.resolve("request.war"));
        Path response = application("<response-character-encoding>ISO-8859-1</response-character-encoding>")
                .archive(folder.resolve("response.war"));
        Consumer<Penstock.Builder> utf8 =
                builder -> builder.set("request-encoding", "UTF-8").set("response-encoding", "UTF-8");
        try (Penstock server = server(utf8.andThen(builder -> builder.war(request)))) {
            assertEquals("true ISO-8859-1", post(server, FORM, "w=" + WORD));
            assertSends(server, "/echo", "UTF-8", WORD_IN_UTF_8);
        }
        try (Penstock server = server(utf8.andThen(builder -> builder.war(response)))) {
            assertEquals("true UTF-8", post(server, FORM, "w=" + WORD_IN_UTF_8));
            assertSends(server, "/echo", "ISO-8859-1", WORD);
        }
    }

    /** Sets charsets in code. */
    public static final class OwnCharsets implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            set(event.getServletContext());
        }

        private static void set(ServletContext context) {
            context.setRequestCharacterEncoding("windows-1251");
            context.setResponseCharacterEncoding("windows-1251");
        }
    }

    @Test
    void anApplicationCannotReplaceTheCharsetsThatTheOperatorGivesToIt() throws Exception {
        Path war = application(
                        "<listener><listener-class>" + OwnCharsets.class.getName() + "</listener-class></listener>"
                                + "<request-character-encoding>UTF-16</request-character-encoding>"
                                + "<response-character-encoding>UTF-16</response-character-encoding>")
                .withClasses("WEB-INF/classes/", OwnCharsets.class)
                .archive(folder.resolve("own.war"));
        List<Consumer<Penstock.Builder>> applications = List.of(
                builder -> builder.war(war),
                builder -> builder.context("/", context -> context.servlet("echo", new Echo(), "/echo")
                        .initializer((classes, servletContext) -> OwnCharsets.set(servletContext))));
        for (Consumer<Penstock.Builder> application : applications) {
            try (Penstock server = server(application)) {
                assertTrue(post(server, FORM, "w=" + WORD).endsWith("windows-1251"));
            }
            try (Penstock server = server(application.andThen(
                    builder -> builder.set("/:request-encoding", "UTF-8").set("/:response-encoding", "UTF-8")))) {
                assertEquals("true UTF-8", post(server, FORM, "w=" + WORD_IN_UTF_8));
                assertSends(server, "/echo", "UTF-8", WORD_IN_UTF_8);
                assertEquals("true ISO-8859-1", post(server, FORM, "w=" + WORD, "X-Own: ISO-8859-1"));
                assertSends(server, "/echo?own=ISO-8859-1", "ISO-8859-1", WORD);
            }
        }
    }

    /** The response encoding applies to servlets. It does not change files. */
    @Test
    void filesAreSentUnchangedWithAnyResponseEncoding() throws Exception {
        Path files = Packing.empty().with("a.txt", WORD).folder(folder.resolve("files"));
        try (Penstock server =
                server(builder -> builder.set("response-encoding", "UTF-16").war(files))) {
            assertSends(server, "/a.txt", "UTF-8", WORD_IN_UTF_8);
        }
        try (Penstock server = server(builder ->
                builder.context("/", context -> context.resources(files).responseEncoding(ISO_8859_1)))) {
            assertSends(server, "/a.txt", "UTF-8", WORD_IN_UTF_8);
        }
    }

    @Test
    void theServerDoesNotStartWithAnInvalidCharset() {
        for (String bad : new String[] {"UTF-99", "u t f", "x-JISAutoDetect"}) {
            StartException e = assertThrows(StartException.class, () -> embedded(bad, context -> {}));
            assertEquals(
                    "request-encoding must be a charset such as UTF-8, or none, not '" + bad + "' (from code)",
                    e.getMessage());
        }
    }
}
