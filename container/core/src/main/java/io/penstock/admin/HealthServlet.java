package io.penstock.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;

/**
 * Whether the process lives, which it does if it answers and its heap has not been full within the last ten seconds; and whether the
 * server wants requests: 503 while it starts, and from the beginning of its end. A deployment that failed does not make it 503 as long
 * as any context is in service: the answer counts the contexts that failed, and says no more, since it is given without the token.
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
            case "/live" -> {
                if (watched.memory().isShort()) {
                    Plain.answer(response, 503, "out of memory");
                } else {
                    Plain.text(response, "live\n");
                }
            }
            case "/ready" -> {
                Watched.Health health = watched.health();
                if (health == Watched.Health.READY) {
                    ready(response);
                } else {
                    Plain.answer(response, 503, health.name().toLowerCase(Locale.ROOT));
                }
            }
            default -> response.sendError(404);
        }
    }

    private void ready(HttpServletResponse response) throws IOException {
        int failed = watched.failures().size();
        if (failed == 0) {
            Plain.answer(response, 200, "ready");
        } else if (watched.applications().isEmpty()) {
            Plain.answer(response, 503, "failed: no context is in service (/contexts says why)");
        } else {
            Plain.answer(
                    response,
                    200,
                    "ready, but " + Figures.count(failed, "deployment") + " failed (/contexts says why)");
        }
    }
}
