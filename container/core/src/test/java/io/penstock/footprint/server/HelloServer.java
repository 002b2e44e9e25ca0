package io.penstock.footprint.server;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * A server with default settings and one servlet. The response to GET is a greeting. The response to POST is the number of bytes in the
 * body of the request. The method {@code getAsInt} returns the port.
 */
public final class HelloServer implements AutoCloseable, IntSupplier {
    private final Penstock server;

    public HelloServer() throws StartException {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.servlet("hello", new HelloServlet(), "/hello"))
                .start();
    }

    @Override
    public int getAsInt() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }

    private static final class HelloServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            answer(response, "Hello, World!");
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] buffer = new byte[8192];
            long length = 0;
            try (InputStream body = request.getInputStream()) {
                for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                    length += n;
                }
            }
            answer(response, Long.toString(length));
        }

        private static void answer(HttpServletResponse response, String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            response.setContentType("text/plain");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }
}
