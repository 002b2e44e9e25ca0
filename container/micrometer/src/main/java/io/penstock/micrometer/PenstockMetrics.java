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
 * The figures of an embedded server as meters of Micrometer, by the names that they have at the server's {@code /metrics}, with dots:
 * counters as function counters, levels as gauges, times as function timers (how often, how long in all), with a gauge {@code .max} of the
 * longest since the start and a counter {@code .within} for each bucket, tagged {@code le}. The server measures; the registry reads when it
 * is asked. So requests cost what they cost without it.
 *
 * <p>A registry keeps the figures, and by them the server, until this object is closed.
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

    /** A registry, and what it has been given. */
    private record Bound(MeterRegistry registry, Registrar registrar) {}

    /**
     * @param server that has {@code request-metrics} {@code on}, or an admin port; else there are no figures of requests
     */
    public PenstockMetrics(Penstock server) {
        this(server, Tags.empty());
    }

    /** @param tags that all meters get, which tell this server from others in the same registry */
    public PenstockMetrics(Penstock server, Iterable<Tag> tags) {
        this.server = server;
        this.tags = Tags.of(tags);
    }

    /**
     * Registers all figures. Those that a server has only later, such as that of a status that nobody was answered by before, are
     * registered when the registry reads the gauge {@code penstock.connections}.
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

    /** Takes all meters out of their registries again. The server goes on. A second call does nothing. */
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
