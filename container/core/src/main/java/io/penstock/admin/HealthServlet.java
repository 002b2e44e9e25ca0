package io.penstock.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;

/**
 * Liveness and readiness. The process is live if it answers, and if its heap has not been full within the last ten seconds. The server is
 * not ready (503) while it starts or stops, or if no context is in service because deployments have failed. If some contexts are in
 * service, the server is ready despite failed deployments. The answer contains only the number of failed deployments, because clients get
 * the answer without a token.
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
