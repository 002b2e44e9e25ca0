package io.penstock.micrometer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.penstock.Penstock;
import java.util.ArrayList;
import java.util.List;

/**
 * Provides the figures of an embedded server as Micrometer meters. A meter has the name of its figure, with dots, such as {@code
 * http.server.request.duration}. At the server's {@code /metrics}, this figure is {@code http_server_request_duration_seconds}. A counter
 * becomes a function counter, and a level becomes a gauge. A histogram of times becomes several meters. A function timer has count and
 * total. A gauge with the suffix {@code .max} has the longest time since the start. Each bucket is a counter with the suffix {@code
 * .within} and the tag {@code le}. The registry only reads figures that the server already has. So the meters do not make requests slower.
 *
 * <p>A registry references the figures, and so also the server, until {@link #close}.
 *
 * <p>Thread: any.
 */
public final class PenstockMetrics implements MeterBinder, AutoCloseable {
    private final Penstock server;
    private final Tags tags;

    @GuardedBy("this")
    private final List<Bound> bounds = new ArrayList<>();

    @GuardedBy("this")
    private State state = State.OPEN;

    private enum State {
        OPEN,
        CLOSED
    }

    /** A registry and its meters. */
    private record Bound(MeterRegistry registry, Registrar registrar) {}

    /** @param server the server; it has figures of requests only with an admin port, or with the setting {@code request-metrics=on} */
    public PenstockMetrics(Penstock server) {
        this(server, Tags.empty());
    }

    /** @param tags the tags of all meters, to distinguish this server from other servers in the same registry */
    public PenstockMetrics(Penstock server, Iterable<Tag> tags) {
        this.server = server;
        this.tags = Tags.of(tags);
    }

    /**
     * Registers all current figures. A figure can appear later, for example the count of a new status. Such a figure is registered when the
     * registry reads the gauge {@code penstock.connections}.
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Registrar registrar = new Registrar(registry, tags, server::figures);
        synchronized (this) {
            if (state == State.CLOSED) {
                throw new IllegalStateException("closed");
            }
            bounds.add(new Bound(registry, registrar));
        }
        server.figures(registrar);
    }

    /** Removes all meters from their registries. The server is not affected. A second call has no effect. */
    @Override
    public void close() {
        List<Bound> left;
        synchronized (this) {
            state = State.CLOSED;
            left = List.copyOf(bounds);
            bounds.clear();
        }
        for (Bound bound : left) {
            for (Meter meter : bound.registrar().close()) {
                bound.registry().remove(meter);
            }
        }
    }
}
