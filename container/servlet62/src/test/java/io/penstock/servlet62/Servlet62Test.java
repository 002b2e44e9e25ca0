package io.penstock.servlet62;

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

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("hinting", new Hinting(), "/plain", "/wrapped")
                        .filter("wrapping", new Wrapping(), "/wrapped"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String send(String method, String target, String lines, String body) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
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
}
