package io.penstock.deploy.application;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/**
 * Sends the version of its application. {@code /version} responds at once. {@code /held} waits for the semaphore of {@link #RELEASED}
 * before it responds. {@code /open} sends the version and does not end the response.
 */
@WebServlet(
        urlPatterns = {"/version", "/held", "/open"},
        asyncSupported = true)
public class VersionServlet extends HttpServlet {
    /** The name of a system property. The value is a semaphore that the servlet releases at the start of a request for {@code /held}. */
    public static final String ENTERED = "penstock.test.entered";

    /** The name of a system property. The value is a semaphore that the servlet acquires before it responds to {@code /held}. */
    public static final String RELEASED = "penstock.test.released";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getServletPath()) {
            case "/held" -> {
                semaphore(ENTERED).release();
                semaphore(RELEASED).acquireUninterruptibly();
                response.getOutputStream().print(version());
            }
            case "/open" -> {
                AsyncContext open = request.startAsync();
                open.setTimeout(0);
                response.getOutputStream().print(version());
                response.flushBuffer();
            }
            default -> response.getOutputStream().print(version());
        }
    }

    private String version() throws IOException {
        try (InputStream in = getServletContext().getResourceAsStream("/version.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), "UTF-8");
        }
    }

    private static Semaphore semaphore(String name) {
        return (Semaphore) System.getProperties().get(name);
    }
}
