package io.penstock.servlet62;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests applications that are compiled with the API of Servlet 6.2, on a server that is compiled with an earlier version. */
class Servlet62Test {
    private static final int TIMEOUT_MILLIS = 60_000;

    private Penstock server;

    /** Sends hints, and answers with the method and the parameter {@code word}. */
    private static final class Hinting extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setHeader("Link", "</style.css>; rel=preload");
            response.sendEarlyHints();
            response.getWriter().print(request.getMethod() + ' ' + request.getParameter("word"));
        }
    }

    /** Passes on a response in two wrappers, one with a method of its own. */
    private static final class Wrapping extends HttpFilter {
        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletResponse inner = new HttpServletResponseWrapper(response) {
                @Override
                public void sendEarlyHints() {
                    setHeader("X-Wrapped", "yes");
                    super.sendEarlyHints();
                }
            };
            chain.doFilter(request, new HttpServletResponseWrapper(inner));
        }
    }

    /** Has not changed since 1994. */
    private static final class Old extends HttpServlet {
        private static final long serialVersionUID = 1;
        private static final long CHANGED = 784_111_777_000L;

        @Override
        protected long getLastModified(HttpServletRequest request) {
            return CHANGED;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("old");
        }
    }

    /** Answers with the status in the query. */
    private static final class Failing extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendError(Integer.parseInt(request.getQueryString()));
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("hinting", new Hinting(), "/plain", "/wrapped")
                        .servlet("old", new Old(), "/old")
                        .servlet("failing", new Failing(), "/failing")
                        .filter("wrapping", new Wrapping(), "/wrapped"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String send(String method, String target, String lines, String body) throws IOException {
        return send(server.port(), method, target, lines, body);
    }

    /** Sends a request to a port of this machine. Returns all bytes that the server sends, as ISO-8859-1. */
    static String send(int port, String method, String target, String lines, String body) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String head = method + ' ' + target + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n" + lines;
            socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void aServletSendsEarlyHintsByTheInterface() throws Exception {
        String answer = send("GET", "/plain?word=a", "", "");
        assertTrue(
                answer.startsWith("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\nHTTP/1.1 200 "),
                answer);
        assertTrue(answer.endsWith("\r\n\r\nGET a"), answer);
    }

    @Test
    void wrappersOfTheApiPassEarlyHintsOn() throws Exception {
        String answer = send("GET", "/wrapped?word=a", "", "");
        assertTrue(answer.startsWith("HTTP/1.1 103 Early Hints\r\n"), answer);
        assertTrue(answer.substring(0, answer.indexOf("\r\n\r\n")).contains("\r\nX-Wrapped: yes"), answer);
    }

    @Test
    void theFormOfAQueryBecomesParameters() throws Exception {
        String form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n";
        String answer = send("QUERY", "/plain", form, "word=b");
        assertTrue(answer.endsWith("\r\n\r\nQUERY b"), answer);
    }

    @Test
    void anInvalidIfModifiedSinceIsIgnored() throws Exception {
        assertTrue(send("GET", "/old", "If-Modified-Since: tomorrow\r\n", "").startsWith("HTTP/1.1 200 "));
        String unchanged = send("GET", "/old", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n", "");
        assertTrue(unchanged.startsWith("HTTP/1.1 304 "), unchanged);
    }

    /** RFC 6585. */
    @Test
    void theNewStatusesHaveTheirReasonPhrases() throws Exception {
        List<Integer> statuses = List.of(
                HttpServletResponse.SC_PRECONDITION_REQUIRED,
                HttpServletResponse.SC_TOO_MANY_REQUESTS,
                HttpServletResponse.SC_REQUEST_HEADER_FIELDS_TOO_LARGE,
                HttpServletResponse.SC_NETWORK_AUTHENTICATION_REQUIRED);
        List<String> phrases = List.of(
                "Precondition Required",
                "Too Many Requests",
                "Request Header Fields Too Large",
                "Network Authentication Required");
        for (int i = 0; i < statuses.size(); i++) {
            String answer = send("GET", "/failing?" + statuses.get(i), "", "");
            assertEquals(
                    "HTTP/1.1 " + statuses.get(i) + ' ' + phrases.get(i),
                    answer.lines().findFirst().orElse(""));
        }
    }
}
