package io.penstock.sample.slowclients;

import io.penstock.sample.filter.BusyFilter;
import io.penstock.sample.page.Numbers;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;

/**
 * Starts and stops slow clients, and reports their state. A page of another site cannot start slow clients, because the
 * browser does not allow the page to send the required header field.
 */
@WebServlet("/slow-clients")
public class SlowClientsServlet extends HttpServlet {
    private static final String FIELD = "X-Slow-Clients";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        SlowClients.Status status = clients().status();
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        response.getWriter()
                .print(String.format(
                        Locale.ROOT,
                        "{\"state\": \"%s\", \"kind\": \"%s\", \"connected\": %d, \"secondsLeft\": %d, \"busy\": %d}",
                        status.state().name().toLowerCase(Locale.ROOT),
                        status.kind().name().toLowerCase(Locale.ROOT),
                        status.connected(),
                        status.secondsLeft(),
                        BusyFilter.busy(getServletContext()) - 1)); // without this thread
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getHeader(FIELD) == null) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "The field " + FIELD + " is missing.");
            return;
        }
        SlowKind kind = SlowKind.named(request.getParameter("kind"));
        int count = Numbers.parameter(request, "count", kind.most(), 1, kind.most());
        try {
            boolean started = clients().start(kind, count, request.getLocalPort(), request.getContextPath());
            response.setStatus(started ? HttpServletResponse.SC_ACCEPTED : HttpServletResponse.SC_CONFLICT);
        } catch (IOException unreachable) {
            log("This server does not accept connections at its loopback address", unreachable);
            response.setStatus(HttpServletResponse.SC_NOT_IMPLEMENTED);
        }
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
        clients().stop();
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    private SlowClients clients() {
        return (SlowClients) getServletContext().getAttribute(SlowClients.ATTRIBUTE);
    }
}
