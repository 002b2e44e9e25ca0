package io.penstock.standalone;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * {@code /hold} reads the cookies, parameters and parts of a request, and holds the request, as if it waited for a database. {@code
 * /release} ends all held requests; later requests are not held.
 */
@WebServlet(
        urlPatterns = {"/hold", "/release"},
        asyncSupported = true)
@MultipartConfig(fileSizeThreshold = 1 << 20)
public class FormHoldingServlet extends HttpServlet {
    private static final Queue<AsyncContext> HELD = new ConcurrentLinkedQueue<>();
    private static volatile boolean released;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (request.getServletPath().equals("/release")) {
            released = true;
            release();
            return;
        }
        request.getCookies();
        request.getParameterMap();
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        HELD.add(async);
        if (released) {
            release();
        }
    }

    private static void release() {
        for (AsyncContext held = HELD.poll(); held != null; held = HELD.poll()) {
            held.complete();
        }
    }
}
