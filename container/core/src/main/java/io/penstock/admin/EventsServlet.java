package io.penstock.admin;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Sends the samples of the flow board, the live page for operators, as a stream of server-sent events. The stream ends when the page is
 * closed.
 */
final class EventsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String TYPE = "text/event-stream; charset=utf-8";

    private final transient Board board;

    EventsServlet(Board board) {
        this.board = board;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        ServletOutputStream out = response.getOutputStream();
        Follower follower = new Follower(board, async, out);
        if (!board.follow(follower)) {
            response.setHeader("Retry-After", "10");
            Plain.answer(response, 503, "Too many pages already show the flow board");
            async.complete();
            return;
        }
        response.setContentType(TYPE);
        // Tells reverse proxies not to buffer the events.
        response.setHeader("X-Accel-Buffering", "no");
        async.addListener(follower);
        out.setWriteListener(follower);
    }

    /** Starts no stream, because the response to HEAD has no body. */
    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) {
        response.setContentType(TYPE);
    }
}
