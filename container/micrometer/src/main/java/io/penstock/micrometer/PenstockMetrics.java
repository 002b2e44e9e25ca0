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
 * The figures of an embedded server as meters of Micrometer. Their names are those at the server's {@code /metrics}, with dots. Counters
 * are function counters and levels are gauges. Times are function timers (count and total), with a gauge {@code .max} of the longest time
 * since the start, and a counter {@code .within} for each bucket, tagged {@code le}. The server measures in any case, and the registry only
 * reads the figures, so requests cost nothing extra.
 *
 * <p>A registry references the figures, and through them the server, until this object is closed.
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

    /**
     * @param server should have {@code request-metrics} {@code on}, or an admin port; without these there are no figures of requests
     */
    public PenstockMetrics(Penstock server) {
        this(server, Tags.empty());
    }

    /** @param tags for all meters, to distinguish this server from others in the same registry */
    public PenstockMetrics(Penstock server, Iterable<Tag> tags) {
        this.server = server;
        this.tags = Tags.of(tags);
    }

    /**
     * Registers all figures. Figures that appear later, such as the count of a new status, are registered when the registry reads the gauge
     * {@code penstock.connections}.
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
