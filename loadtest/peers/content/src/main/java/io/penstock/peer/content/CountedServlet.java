package io.penstock.peer.content;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A servlet whose calls are counted. It handles all HTTP methods in the same way. */
abstract class CountedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Calls.enter();
        try {
            answer(request, response);
        } finally {
            Calls.leave();
        }
    }

    abstract void answer(HttpServletRequest request, HttpServletResponse response) throws IOException;

    /** Sends a response with status 200 and the given text. */
    static void send(HttpServletResponse response, byte[] text) throws IOException {
        response.setContentType("text/plain");
        response.setContentLength(text.length);
        response.getOutputStream().write(text);
    }

    /** Returns a whole number from the query. If it is missing or not a number, sends status 400 and returns -1. */
    static long parameter(HttpServletRequest request, HttpServletResponse response, String name) throws IOException {
        @Nullable String text = request.getParameter(name);
        if (text == null || !text.matches("[0-9]{1,15}")) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "?" + name + "= must be a whole number");
            return -1;
        }
        return Long.parseLong(text);
    }
}
