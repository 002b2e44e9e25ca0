package io.penstock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.deploy.Packing;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the charset in the {@code Content-Type} field of files. */
class FileEncodingTest {
    private static final String PAGE = "<meta charset=iso-8859-1><p>h\u00e4llo";

    @TempDir
    Path folder;

    private Path files;

    @BeforeEach
    void write() throws IOException {
        files = packed().folder(folder.resolve("files"));
    }

    private static Packing packed() {
        return Packing.empty()
                .with("page.html", PAGE.getBytes(ISO_8859_1))
                .with("page.htm", "x")
                .with("note.txt", "x")
                .with("style.css", "x")
                .with("code.js", "x")
                .with("data.xml", "<x/>")
                .with("data.json", "{}");
    }

    private static Penstock server(Consumer<Penstock.Builder> settings) throws StartException {
        Penstock.Builder builder = Penstock.builder().host("127.0.0.1").port(0);
        settings.accept(builder);
        return builder.start();
    }

    private static String type(Penstock server, String target) throws IOException {
        RawExchange answer = RawExchange.get(server, target);
        assertEquals(200, answer.status(), answer.text());
        List<String> types = answer.values("Content-Type");
        assertEquals(1, types.size(), answer.head());
        return types.get(0);
    }

    @Test
    void onlyPlainTextAndCssAndScriptFilesGetTheDefaultCharsetUtf8() throws Exception {
        try (Penstock server = server(builder -> builder.war(files))) {
            assertEquals("text/html", type(server, "/page.html"));
            assertEquals("text/html", type(server, "/page.htm"));
            assertEquals(PAGE, RawExchange.get(server, "/page.html").body());
            assertEquals("text/plain;charset=UTF-8", type(server, "/note.txt"));
            assertEquals("text/css;charset=UTF-8", type(server, "/style.css"));
            assertEquals("text/javascript;charset=UTF-8", type(server, "/code.js"));
            assertEquals("text/xml", type(server, "/data.xml"));
            assertEquals("application/json", type(server, "/data.json"));
        }
    }

    @Test
    void theResponseEncodingSettingDoesNotApplyToFiles() throws Exception {
        try (Penstock server =
                server(builder -> builder.set("response-encoding", "UTF-16").war(files))) {
            assertEquals("text/html", type(server, "/page.html"));
            assertEquals("text/plain;charset=UTF-8", type(server, "/note.txt"));
        }
    }

    @Test
    void theFileEncodingSettingAppliesToTextFilesExceptXml() throws Exception {
        try (Penstock server =
                server(builder -> builder.set("file-encoding", "ISO-8859-1").war(files))) {
            assertEquals("text/html;charset=ISO-8859-1", type(server, "/page.html"));
            assertEquals("text/plain;charset=ISO-8859-1", type(server, "/note.txt"));
            assertEquals("text/xml", type(server, "/data.xml"));
        }
    }

    @Test
    void theFileEncodingOfAnEmbeddedContextOverridesTheSetting() throws Exception {
        try (Penstock server = server(builder -> builder.set("file-encoding", "ISO-8859-1")
                .context("/", context -> context.resources(files).fileEncoding(UTF_8)))) {
            assertEquals("text/html;charset=UTF-8", type(server, "/page.html"));
        }
    }

    private Path archive(String mappings) throws IOException {
        return packed().withClasses("WEB-INF/classes/", Including.class)
                .with(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><servlet><servlet-name>s</servlet-name><servlet-class>"
                                + Including.class.getName() + "</servlet-class></servlet><servlet-mapping>"
                                + "<servlet-name>s</servlet-name><url-pattern>/including</url-pattern></servlet-mapping>"
                                + mappings + "</web-app>")
                .archive(folder.resolve("shop.war"));
    }

    private static String mapping(String extension, String type) {
        return "<mime-mapping><extension>" + extension + "</extension><mime-type>" + type
                + "</mime-type></mime-mapping>";
    }

    @Test
    void aCharsetInAMimeMappingOfWebXmlOverridesTheFileEncoding() throws Exception {
        Path war = archive(mapping("html", "text/html;charset=windows-1252") + mapping("txt", "text/html"));
        try (Penstock server =
                server(builder -> builder.set("file-encoding", "UTF-8").war(war))) {
            assertEquals("text/html;charset=windows-1252", type(server, "/page.html"));
            assertEquals("text/html;charset=UTF-8", type(server, "/page.htm"));
        }
        try (Penstock server = server(builder -> builder.war(war))) {
            assertEquals("text/html", type(server, "/note.txt"));
        }
    }

    /** Calls {@code getWriter} first, so the included file is written as text. */
    public static final class Including extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().print("> ");
            request.getRequestDispatcher("/page.html").include(request, response);
        }
    }

    @Test
    void anIncludedFileIsReadInTheConfiguredCharset() throws Exception {
        String expected = new String(("> " + PAGE).getBytes(UTF_8), ISO_8859_1);
        Path mapped = archive(mapping("html", "text/html;charset=ISO-8859-1"));
        try (Penstock server = server(builder -> builder.war(mapped))) {
            assertEquals(expected, RawExchange.get(server, "/including").whole());
        }
        Path plain = archive("");
        try (Penstock server =
                server(builder -> builder.set("file-encoding", "ISO-8859-1").war(plain))) {
            assertEquals(expected, RawExchange.get(server, "/including").whole());
        }
    }
}
