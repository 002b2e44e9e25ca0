package io.penstock.admin;

import io.penstock.metrics.OpenMetrics;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.ServerFigures;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The figures of server and process as OpenMetrics text. */
final class MetricsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Watched watched;

    MetricsServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        OpenMetrics out = new OpenMetrics();
        ServerFigures server = new ServerFigures(out);
        RequestMetrics requests = watched.metrics();
        if (requests != null) {
            server.requests(requests);
        }
        server.levels(watched.gauges());
        server.counters(watched.counters());
        new ProcessFigures(out).all();
        Plain.send(response, OpenMetrics.CONTENT_TYPE, out.end());
    }
}
