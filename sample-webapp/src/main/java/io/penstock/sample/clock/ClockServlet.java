package io.penstock.sample.clock;

import io.penstock.sample.async.AsyncOutput;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Opens a stream of server-sent events, passes the stream to the clock, and returns at once. */
@WebServlet(urlPatterns = "/clock", asyncSupported = true)
public class ClockServlet extends HttpServlet {
    // A browser whose stream has ended opens a new one after this number of milliseconds.
    private static final byte[] FIRST_EVENT = "retry: 2000\n\n".getBytes(StandardCharsets.UTF_8);
    private static final long LONGEST_STREAM = TimeUnit.MINUTES.toMillis(10);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        setHead(response);
        AsyncOutput watcher = AsyncOutput.start(request, FIRST_EVENT, LONGEST_STREAM);
        ((Clock) getServletContext().getAttribute(Clock.ATTRIBUTE)).add(watcher);
    }

    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) {
        setHead(response);
    }

    private static void setHead(HttpServletResponse response) {
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Cache-Control", "no-store");
    }
}
