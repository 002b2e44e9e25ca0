package io.penstock.develop.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/**
 * A servlet that reads its version from the class path when the application starts. If the version begins with {@code held}, the start
 * waits for the semaphore of {@link #MAY_START}. If the version begins with {@code broken}, the start fails.
 */
@WebListener
@WebServlet("/version")
public class StartServlet extends HttpServlet implements ServletContextListener {
    /** The name of a system property. The value is a semaphore that counts the starts. */
    public static final String STARTS = "penstock.test.starts";

    /** The name of a system property. The value is a semaphore for which the start of a {@code held} version waits. */
    public static final String MAY_START = "penstock.test.may-start";

    private static final String VERSION = "version";

    @Override
    public void contextInitialized(ServletContextEvent event) {
        String version;
        try (InputStream in = StartServlet.class.getResourceAsStream("/version.txt")) {
            version = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        semaphore(STARTS).release();
        if (version.startsWith("held")) {
            semaphore(MAY_START).acquireUninterruptibly();
        }
        if (version.startsWith("broken")) {
            throw new IllegalStateException("no <database> & no tables");
        }
        event.getServletContext().setAttribute(VERSION, version);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/html;charset=UTF-8");
        response.getWriter().print(getServletContext().getAttribute(VERSION));
    }

    private static Semaphore semaphore(String name) {
        return (Semaphore) System.getProperties().get(name);
    }
}
