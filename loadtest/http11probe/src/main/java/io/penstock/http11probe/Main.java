package io.penstock.http11probe;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;

/** The entry to Http11Probe: a server with its default settings, which answers with the parts of the request that the prober compares. */
public final class Main {
    private Main() {}

    /** Starts the server. The only argument is the port; the default is 8080. */
    public static void main(String[] arguments) throws StartException, InterruptedException {
        Penstock.builder()
                .port(arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]))
                .stopOnExit(true)
                .context("/", context -> context.servlet("body", new Body(), "/")
                        .servlet("fields", new Fields(), "/echo")
                        .servlet("cookies", new Cookies(), "/cookie"))
                .start()
                .await();
    }

    /** Answers with the body of the request, and with {@code OK} if there is none. {@code HttpServlet} answers HEAD and OPTIONS. */
    private static final class Body extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            plain(response).print("OK");
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/octet-stream");
            response.getOutputStream().write(request.getInputStream().readAllBytes());
        }

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            doPost(request, response);
        }
    }

    /** Writes a line {@code Name: value} for each field line of the request. */
    private static final class Fields extends HttpServlet {
        private static final long serialVersionUID = 1L;

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

    /** Writes a line {@code name=value} for each cookie of the request. */
    private static final class Cookies extends HttpServlet {
        private static final long serialVersionUID = 1L;

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
