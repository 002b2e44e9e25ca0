package io.penstock;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.Set;

/**
 * A server for black-box conformance runners to speak to: {@code /} answers a GET, POST, PUT or any unusual method with its own body,
 * {@code /echo} with the request's field lines and {@code /cookie} with its cookies.
 */
public final class EchoServer {

    private EchoServer() {}

    /** Serves at the loopback address until the process is ended; the only argument is the port, 8080 without it. */
    public static void main(String[] arguments) throws StartException, InterruptedException {
        try (Penstock server = start(arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]))) {
            System.out.println("Echoing at http://127.0.0.1:" + server.port() + "/");
            server.await();
        }
    }

    /** @param port 0 takes a free one */
    static Penstock start(int port) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(port)
                .context("/", context -> context.servlet("body", new BodyServlet(), "/")
                        .servlet("fields", new FieldsServlet(), "/echo")
                        .servlet("cookies", new CookiesServlet(), "/cookie"))
                .start();
    }

    /**
     * Answers with the request's body, byte by byte the same. Runners that test the grammar send methods which {@code HttpServlet}
     * would refuse with 501; here the container is in question, so whatever it lets through is answered.
     */
    private static final class BodyServlet extends HttpServlet {
        private static final Set<String> USUAL = Set.of("HEAD", "OPTIONS", "TRACE", "DELETE");

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            if (USUAL.contains(request.getMethod())) {
                super.service(request, response);
            } else {
                doGet(request, response);
            }
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            response.setContentType("application/octet-stream");
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    /** One line a field line, as {@code Name: value}, whatever the method. */
    private static final class FieldsServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            PrintWriter out = plain(response);
            for (String name : Collections.list(request.getHeaderNames())) {
                for (String value : Collections.list(request.getHeaders(name))) {
                    out.print(name + ": " + value + "\n");
                }
            }
        }
    }

    /** One line a cookie, as {@code name=value}, whatever the method. */
    private static final class CookiesServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            PrintWriter out = plain(response);
            Cookie[] cookies = request.getCookies();
            for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
                out.print(cookie.getName() + "=" + cookie.getValue() + "\n");
            }
        }
    }

    private static PrintWriter plain(HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.setCharacterEncoding("ISO-8859-1");
        return response.getWriter();
    }
}
