package io.penstock.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;

/**
 * Whether the process lives, which it does if it answers, and whether the server wants requests: 503 while it starts, and from the
 * beginning of its end.
 */
final class HealthServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Watched watched;

    HealthServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (String.valueOf(request.getPathInfo())) {
            case "/live" -> Plain.text(response, "live\n");
            case "/ready" -> {
                Watched.Health health = watched.health();
                int status = health == Watched.Health.READY ? 200 : 503;
                Plain.answer(response, status, health.name().toLowerCase(Locale.ROOT));
            }
            default -> response.sendError(404);
        }
    }
}
