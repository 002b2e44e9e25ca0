package io.penstock.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The meters of figures that appear and disappear. */
class RegistrarTest {
    private static final Figure WATCHED = new Figure("penstock.connections", Unit.NONE, "connections");
    private static final Figure REFUSED = new Figure("penstock.mapping.refused", Unit.NONE, "refused requests");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> mappings = new ArrayList<>();
    private final Registrar registrar = new Registrar(registry, Tags.of("node", "a"), this::figures);

    private void figures(FigureVisitor to) {
        to.gauge(WATCHED, () -> 7);
        for (String mapping : mappings) {
            to.counter(REFUSED.with("mapping", mapping), mapping::length);
        }
    }

    private @Nullable FunctionCounter refused(String mapping) {
        return registry.find(REFUSED.name()).tag("mapping", mapping).functionCounter();
    }

    private void read() {
        Gauge watched = registry.get(WATCHED.name()).gauge();
        assertEquals(7, watched.value());
    }

    @Test
    void aReadingRegistersNewFiguresAndRemovesThoseThatAreGone() {
        figures(registrar);
        mappings.add("/a");
        read();
        assertNotNull(refused("/a"));
        for (int i = 0; i < 1000; i++) {
            mappings.set(0, "/path" + i);
            read();
        }
        assertNull(refused("/a"));
        assertNotNull(refused("/path999"));
        assertEquals(2, registry.getMeters().size());
        assertEquals(2, registrar.close().size());
    }

    @Test
    void aFigureThatIsBackHasAMeterAgain() {
        figures(registrar);
        mappings.add("/a");
        read();
        mappings.clear();
        read();
        assertNull(refused("/a"));
        mappings.add("/a");
        read();
        assertEquals(2, registry.get(REFUSED.name()).functionCounter().count());
    }
}
