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
 * A server for external conformance test programs. For GET, POST, PUT and unusual methods, {@code /} answers with the body of the request.
 * {@code /echo} answers with the field lines of the request. {@code /cookie} answers with the cookies of the request.
 */
public final class EchoServer {

    private EchoServer() {}

    /** Starts the server at the loopback address. The only argument is the port; the default is 8080. */
    public static void main(String[] arguments) throws StartException, InterruptedException {
        try (Penstock server = start(arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]))) {
            System.out.println("Echoing at http://127.0.0.1:" + server.port() + "/");
            server.await();
        }
    }

    /** @param port the port; 0 for any free port */
    static Penstock start(int port) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(port)
                .set("trace-method", "on")
                .context("/", context -> context.servlet("body", new BodyServlet(), "/")
                        .servlet("fields", new FieldsServlet(), "/echo")
                        .servlet("cookies", new CookiesServlet(), "/cookie"))
                .start();
    }

    /**
     * Answers with the unchanged body of the request. Some conformance test programs send methods that {@code HttpServlet} refuses with
     * 501. Those programs test the container and not {@code HttpServlet}, so this servlet answers such methods like GET.
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

    /** Writes one line {@code Name: value} for each field line of the request. The servlet answers all methods. */
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

    /** Writes one line {@code name=value} for each cookie of the request. The servlet answers all methods. */
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
