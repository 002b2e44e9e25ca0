package io.penstock.admin;

import io.penstock.limits.Counter;
import io.penstock.limits.Setting;
import io.penstock.metrics.Gauge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;

/**
 * Serves the current activity of the server. The answer contains each connection with the event that the connection waits for, and the
 * workers with their stacks. It also contains the gauges, the counters, and how often each limit was reached. The answer is text for
 * people, or JSON for programs.
 */
final class DumpServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Watched watched;

    DumpServlet(Watched watched) {
        this.watched = watched;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (Plain.wantsJson(request)) {
            Plain.json(response, json());
        } else {
            Plain.text(response, watched.dump());
        }
    }

    private Json json() {
        Json json = new Json().object().field("at", Instant.now().toString());
        connections(json);
        workers(json);
        Views.mappings(json, watched.mappings());
        Views.bulkheads(json, watched.bulkheads());
        Views.webSockets(json, watched.slowWebSockets(Watched.SLOW_WEB_SOCKETS));
        json.name("gauges").object();
        for (Gauge gauge : Gauge.values()) {
            json.field(gauge.id(), watched.gauges().value(gauge));
        }
        json.end().name("counters").object();
        for (Counter counter : Counter.values()) {
            json.field(counter.id(), watched.counters().value(counter));
        }
        json.end();
        limits(json);
        return json.end();
    }

    private void connections(Json json) {
        Watched.Connections connections = watched.connections();
        json.name("connections").array();
        connections.all().forEach(connection -> Views.connection(json, connection));
        json.end().name("silent").array();
        connections.silent().forEach(json::value);
        json.end();
    }

    private void workers(Json json) {
        json.name("workers").array();
        for (Watched.Worker worker : watched.workers(0)) {
            json.object();
            Views.worker(json, worker);
            json.name("stack").array();
            worker.stack().forEach(frame -> json.value(frame.toString()));
            json.end().end();
        }
        json.end();
    }

    private void limits(Json json) {
        json.name("limits").object();
        for (Setting setting : watched.configuration().settings()) {
            Counter counter = setting.key().consequence().counter();
            if (counter != null) {
                json.name(setting.key().id())
                        .object()
                        .field("value", setting.shown())
                        .field("beyond", setting.key().consequence().effect())
                        .field("counter", counter.id())
                        .field("reached", watched.counters().value(counter))
                        .end();
            }
        }
        json.end();
    }
}
