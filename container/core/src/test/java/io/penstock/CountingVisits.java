package io.penstock;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.Serializable;

/**
 * Counts the requests of a session in a mutable attribute, which it changes without {@code setAttribute} after the first request. It
 * invalidates the session at {@code /end}, and sends its response at once at {@code /early}.
 */
final class CountingVisits extends HttpServlet {
    private static final class Visits implements Serializable {
        private static final long serialVersionUID = 1L;
        private int count;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession();
        Visits visits = (Visits) session.getAttribute("visits");
        if (visits == null) {
            visits = new Visits();
            session.setAttribute("visits", visits);
        }
        visits.count++;
        response.getWriter().print(session.getId() + " " + visits.count);
        switch (request.getServletPath()) {
            case "/end" -> session.invalidate();
            case "/early" -> response.flushBuffer();
            default -> {
                // The response is sent at the end of the call.
            }
        }
    }
}
