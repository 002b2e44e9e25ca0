package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request must have exactly one valid {@code Host} field (RFC 9112 section 3.2). */
class HostHeaderTest {
    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    private Penstock server;

    /** Writes the server name and the URL of the request. */
    private static final class UrlServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(request.getServerName() + " " + request.getRequestURL());
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("url", new UrlServlet(), "/"))
                .start();
    }

    @AfterEach
    void stop() {
        left.awaitIn(server);
        server.close();
    }

    private RawExchange send(String target, String lines) throws IOException {
        return RawExchange.of(server, "GET " + target + " HTTP/1.1\r\n" + lines + "Connection: close\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host:\r\n",
                "Host: \r\n",
                "Host: a\r\nHost: a\r\n",
                "Host: a\r\nHost: b\r\n",
                "Host: a\r\nhost: b\r\n",
                "Host: a, b\r\n",
                "Host: a b\r\n",
                "Host: user@a\r\n",
                "Host: a/b\r\n",
                "Host: a?b\r\n",
                "Host: a#b\r\n",
                "Host: a\\b\r\n",
                "Host: http://a\r\n",
                "Host: a:b\r\n",
                "Host: a:-1\r\n",
                "Host: a:65536\r\n",
                "Host: a:80:80\r\n",
                "Host: :80\r\n",
                "Host: [::1\r\n",
                "Host: [::1]x\r\n",
                "Host: [a]b\r\n",
                "Host: ::1\r\n",
                "Host: a\u0000\r\n",
                "Host: a\"b\r\n",
                "Host: <a>\r\n",
                "Host: \u00e4\r\n",
            })
    void aRequestGets400IfItsHostFieldIsMissingOrRepeatedOrInvalid(String lines) throws IOException {
        RawExchange exchange = send("/", lines);
        assertEquals(400, exchange.status(), exchange.text());
        assertTrue(exchange.text().contains("Connection: close"), exchange.text());
    }

    @Test
    void theHostOfAnAbsoluteRequestTargetReplacesTheHostField() throws IOException {
        assertEquals(
                "good.example http://good.example/a",
                send("http://good.example/a", "Host: evil.example\r\n").body());
        assertEquals(400, send("http://good.example/a", "").status());
        assertEquals(400, send("http://user@good.example/a", "Host: x\r\n").status());
        assertEquals(400, send("http:///a", "Host: x\r\n").status());
    }

    @Test
    void forwardingFieldsOfProxiesAreIgnoredByDefault() throws IOException {
        String forged = "X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Port: 1\r\n"
                + "Forwarded: host=evil.example;proto=https\r\nX-Host: evil.example\r\nX-Original-URL: /admin\r\n"
                + "X-Rewrite-URL: /admin\r\n";
        assertEquals(
                "good.example http://good.example/a",
                send("/a", "Host: good.example\r\n" + forged).body());
    }
}
