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
 * Reads its version from the class path when its application starts. Depending on the version, the start fails, or waits until the test
 * continues it.
 */
@WebListener
@WebServlet("/version")
public class StartServlet extends HttpServlet implements ServletContextListener {
    /** The name of a system property. Its value is the semaphore that counts the starts. */
    public static final String STARTS = "penstock.test.starts";

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
