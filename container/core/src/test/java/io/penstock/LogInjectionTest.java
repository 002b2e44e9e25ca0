package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A client cannot inject lines into the log. Invalid requests are not logged. */
class LogInjectionTest {
    /**
     * The log file of the tests in this JVM. The logger flushes each record, so the tests can read a record immediately. {@code
     * simplelogger.properties} sets the file, unless the build sets a file for each JVM.
     */
    static final Path LOG = Path.of(System.getProperty("org.slf4j.simpleLogger.logFile", "target/tests.log"));

    /** Throws an exception whose message is text from the client. */
    private static final class CarelessServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
            String text = request.getParameter("text");
            Exception deep = new IllegalArgumentException("no such thing: " + text);
            deep.addSuppressed(new IOException(text));
            throw new ServletException(text, deep);
        }
    }

    /** Reads the parameters of the request. */
    private static final class ReadingServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(request.getParameterMap().size());
        }
    }

    /** Sends the requests of a client. */
    private interface Client {
        void use(Penstock server) throws IOException;
    }

    /** Returns the lines that the server logs while a client sends requests. */
    private static String logOf(Client client) throws Exception {
        // This call makes the logger open its file. From then on, the file contains no lines of earlier runs.
        LoggerFactory.getLogger(LogInjectionTest.class);
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("careless", new CarelessServlet(), "/careless/*")
                        .servlet("reading", new ReadingServlet(), "/reading"))
                .start()) {
            int before = Files.readAllBytes(LOG).length;
            client.use(server);
            byte[] all = Files.readAllBytes(LOG);
            return new String(all, before, all.length - before, Charset.defaultCharset());
        }
    }

    private static void assertNoInjectedLine(String log) {
        for (String line : log.split("\\R")) {
            assertTrue(!line.startsWith("INJECTED"), log);
        }
    }

    @Test
    void lineBreaksInAnExceptionMessageDoNotBeginANewLogLine() throws Exception {
        for (String end : new String[] {"%0d%0a", "%0a", "%0d", "%C2%85", "%E2%80%A8", "%0b"}) {
            String log = logOf(server -> assertEquals(
                    500,
                    RawExchange.get(server, "/careless/a?text=x" + end + "INJECTED%20line")
                            .status()));
            assertTrue(log.contains("INJECTED"), log);
            assertTrue(log.contains(CarelessServlet.class.getName() + ".service"), log);
            assertNoInjectedLine(log);
        }
    }

    @Test
    void requestPathsAreLoggedInTheirEncodedForm() throws Exception {
        String log = logOf(server -> {
            assertEquals(
                    500, RawExchange.get(server, "/careless/a%25%30dINJECTED").status());
            assertEquals(
                    400, RawExchange.get(server, "/careless/a%0d%0aINJECTED").status());
            assertEquals(400, RawExchange.get(server, "/careless/a\r\nINJECTED").status());
            assertEquals(400, RawExchange.get(server, "/careless/a\nINJECTED").status());
        });
        assertTrue(log.contains("GET /careless/a%25%30dINJECTED failed"), log);
        assertNoInjectedLine(log);
    }

    @Test
    void anInvalidRequestCausesNoMessageInTheServerLog() throws Exception {
        String form = "POST /reading HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n"
                + "Content-Type: application/x-www-form-urlencoded";
        String log = logOf(server -> {
            assertEquals(400, RawExchange.get(server, "/reading?a=%zz").status());
            assertEquals(400, RawExchange.get(server, "/reading?a=%C0").status());
            assertEquals(
                    415,
                    RawExchange.of(server, form + ";charset=INJECTED\r\n\r\na=b")
                            .status());
            assertEquals(
                    415,
                    RawExchange.of(server, form + ";charset=\"a b\"\r\n\r\na=b").status());
            assertEquals(400, RawExchange.of(server, form + "\r\n\r\na=%").status());
            assertEquals(
                    431,
                    RawExchange.get(server, "/reading", "Cookie: " + "INJECTED=1;".repeat(1000))
                            .status());
            assertEquals(400, RawExchange.of(server, "INJECTED\r\n\r\n").status());
        });
        assertEquals("", log);
    }
}
