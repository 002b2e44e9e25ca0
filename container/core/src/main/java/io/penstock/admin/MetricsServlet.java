package io.penstock.admin;

import io.penstock.limits.ServerConfig.Node;
import io.penstock.metrics.FigureText;
import io.penstock.metrics.OpenMetrics;
import io.penstock.metrics.TextFormat;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;

/** Serves the figures of the server and of its process, as OpenMetrics or in the older Prometheus text format. */
final class MetricsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Watched watched;

    MetricsServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        TextFormat format = ScrapeFormat.of(Collections.list(request.getHeaders("Accept")));
        OpenMetrics out = new OpenMetrics(format);
        watched.figures().tell(new FigureText(out));
        String node = Node.of(watched.configuration()).name();
        if (!node.isEmpty()) {
            out.family("penstock_node", OpenMetrics.Type.INFO, "", "the name of this server")
                    .info("name", node);
        }
        new ProcessFigures(out).all();
        response.setHeader("Vary", "Accept");
        Plain.send(response, format.contentType(), out.end());
    }
}
