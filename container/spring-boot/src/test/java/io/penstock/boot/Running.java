package io.penstock.boot;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;

/** A server that a factory has created, with a client. The server listens on a free port. */
final class Running implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    final PenstockWebServer server;
    private final HttpClient client;

    private Running(PenstockWebServer server, HttpClient client) {
        this.server = server;
        this.client = client;
    }

    static PenstockServletWebServerFactory factory() {
        return new PenstockServletWebServerFactory(0);
    }

    static Running start(PenstockServletWebServerFactory factory, ServletContextInitializer... initializers) {
        Running running = withoutStart(factory, initializers);
        running.server.start();
        return running;
    }

    static Running withoutStart(PenstockServletWebServerFactory factory, ServletContextInitializer... initializers) {
        return new Running((PenstockWebServer) factory.getWebServer(initializers), HttpClient.newHttpClient());
    }

    /** The code of a servlet. */
    @FunctionalInterface
    interface Code {
        void run(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    static ServletRegistrationBean<HttpServlet> servlet(String path, Code code) {
        HttpServlet servlet = new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                code.run(request, response);
            }
        };
        ServletRegistrationBean<HttpServlet> bean = new ServletRegistrationBean<>(servlet, path);
        bean.setName(path);
        return bean;
    }

    HttpResponse<String> get(String path, String... fields) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path);
        if (fields.length > 0) {
            request.headers(fields);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<byte[]> bytes(String path, String... fields) throws IOException, InterruptedException {
        return client.send(request(path).headers(fields).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + path))
                .timeout(PATIENCE);
    }

    HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        server.stop();
        server.destroy();
    }
}
