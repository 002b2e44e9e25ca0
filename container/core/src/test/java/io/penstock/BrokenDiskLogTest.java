package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** While a disk is full or broken, each request can fail. The log must not grow with each request, since it may be on the same disk. */
class BrokenDiskLogTest {
    private static final int REQUESTS = 50;

    /** A folder in which no program can create a file. */
    private static final String UNWRITABLE = "/proc/self";

    @TempDir
    Path folder;

    private int logged;

    /** Uses a session. */
    private static final class SessionServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getSession().setAttribute("last", request.getParameter("n"));
            response.getWriter().print(request.getSession().getId());
        }
    }

    /** Reads the parts of a form. Each part needs a temporary file. */
    private static final class UploadServlet extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().print(request.getParts().size());
        }
    }

    @BeforeEach
    void openLog() throws IOException {
        // This call makes the logger open its file. From then on, the file contains no lines of earlier runs.
        LoggerFactory.getLogger(BrokenDiskLogTest.class);
        logged = Files.readAllBytes(LogInjectionTest.LOG).length;
    }

    private Penstock server() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("session-dir", folder.toString())
                .context("/", context -> context.servlet("session", new SessionServlet(), "/session")
                        .servlet("upload", new UploadServlet(), new MultipartConfigElement(UNWRITABLE), "/upload"))
                .start();
    }

    private void assertOneLineIsLogged(String message) throws IOException {
        byte[] all = Files.readAllBytes(LogInjectionTest.LOG);
        List<String> lines = new String(all, logged, all.length - logged, Charset.defaultCharset())
                .lines()
                .filter(line -> !line.contains(" INFO "))
                .toList();
        assertEquals(1, lines.size(), () -> String.join("\n", lines));
        assertTrue(lines.get(0).contains(message), lines.get(0));
        assertFalse(lines.get(0).contains("Exception"), lines.get(0));
    }

    private List<Path> filesOfSessions() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void sessionsThatCannotBeSavedAreLoggedOnce() throws Exception {
        try (Penstock server = server()) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
            for (int i = 0; i < REQUESTS; i++) {
                assertEquals(503, RawExchange.get(server, "/session?n=" + i).status());
            }
            assertOneLineIsLogged("Sessions could not be saved (1 since the last message): " + folder);
            Files.createDirectories(folder);
        }
    }

    @Test
    void sessionsThatCannotBeReadAreLoggedOnce() throws Exception {
        String id;
        try (Penstock server = server()) {
            id = RawExchange.get(server, "/session?n=1").body();
        }
        try (Penstock server = server()) {
            for (Path file : filesOfSessions()) {
                Files.delete(file);
                Files.createDirectory(file);
            }
            for (int i = 0; i < REQUESTS; i++) {
                assertEquals(
                        500,
                        RawExchange.get(server, "/session?n=1", "Cookie: JSESSIONID=" + id)
                                .status());
            }
            assertOneLineIsLogged("Sessions cannot be read or deleted (1 since the last message)");
        }
    }

    @Test
    void partsOfFormsThatCannotBeWrittenAreLoggedOnceAndAnswered503() throws Exception {
        assumeTrue(Files.isDirectory(Path.of(UNWRITABLE)));
        String body = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\ncontent\r\n--b--\r\n";
        try (Penstock server = server()) {
            for (int i = 0; i < REQUESTS; i++) {
                RawExchange answer = RawExchange.of(
                        server,
                        "POST /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                                + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + body.length()
                                + "\r\n\r\n" + body);
                assertEquals(503, answer.status());
            }
            assertOneLineIsLogged("Parts of forms could not be written to temporary files in " + UNWRITABLE
                    + " (1 since the last message)");
        }
    }
}
