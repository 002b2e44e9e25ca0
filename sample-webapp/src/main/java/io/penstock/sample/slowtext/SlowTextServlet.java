package io.penstock.sample.slowtext;

import io.penstock.sample.Ticker;
import io.penstock.sample.async.AsyncOutput;
import io.penstock.sample.page.Numbers;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Sends a long text in paragraphs, with a pause after each paragraph. */
@WebServlet(urlPatterns = "/slow-text", asyncSupported = true)
public class SlowTextServlet extends HttpServlet {
    private static final byte[] NOTHING = {};
    private static final long LONGEST = TimeUnit.MINUTES.toMillis(10);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int paragraphs = Numbers.parameter(request, "paragraphs", 200, 1, 2000);
        int pauseMillis = Numbers.parameter(request, "pause", 100, 10, 2000);
        setHead(response);
        AsyncOutput output = AsyncOutput.start(request, NOTHING, LONGEST);
        new Drip(output, paragraphs, pauseMillis, Ticker.of(getServletContext())).start();
    }

    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) {
        setHead(response);
    }

    private static void setHead(HttpServletResponse response) {
        response.setContentType("text/plain;charset=UTF-8");
        response.setHeader("Cache-Control", "no-store");
    }
}
