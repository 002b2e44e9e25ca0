package io.penstock.micrometer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Times;
import io.penstock.telemetry.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the meters of each figure in one registry. Each figure is registered once. Its meters are removed when the server has the figure no
 * longer: the rows of servlets and paths change, and clients can influence their names.
 *
 * <p>Thread: any; registries read meters from several threads. Owns: the meters, until {@link #close}.
 */
final class Registrar implements FigureVisitor {
    /**
     * The name of a gauge that always exists. A reading of this gauge means that the registry reads its meters. At this moment, new figures
     * are registered, and figures that are gone are removed.
     */
    private static final String WATCHED = "penstock.connections";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Consumer<FigureVisitor> whenRead;

    @GuardedBy("this")
    private final Map<Figure, Made> known = new HashMap<>();

    @GuardedBy("this")
    private boolean closed;

    /**
     * What was made for one figure.
     *
     * @param sources the sources of the meters. A registry has strong references only to the sources of gauges. One gauge references this
     *     registrar, and so all other sources
     */
    private record Made(List<Object> sources, List<Meter> meters) {
        void add(Meter meter) {
            meters.add(meter);
        }
    }

    /** @param whenRead passes all figures to this object again; called at a reading of {@link #WATCHED} */
    Registrar(MeterRegistry registry, Tags tags, Consumer<FigureVisitor> whenRead) {
        this.registry = registry;
        this.tags = tags;
        this.whenRead = whenRead;
    }

    @Override
    public void counter(Figure figure, LongSupplier value) {
        register(figure, made -> {
            made.sources().add(value);
            made.add(FunctionCounter.builder(figure.name(), value, LongSupplier::getAsLong)
                    .tags(tags(figure))
                    .description(figure.meaning())
                    .baseUnit(unit(figure))
                    .register(registry));
        });
    }

    @Override
    public void gauge(Figure figure, DoubleSupplier value) {
        DoubleSupplier read = figure.name().equals(WATCHED) ? () -> noticed(value) : value;
        register(figure, made -> {
            made.sources().add(read);
            made.add(Gauge.builder(figure.name(), read, DoubleSupplier::getAsDouble)
                    .tags(tags(figure))
                    .description(figure.meaning())
                    .baseUnit(unit(figure))
                    .strongReference(true)
                    .register(registry));
        });
    }

    private double noticed(DoubleSupplier value) {
        Present present = new Present();
        whenRead.accept(present);
        removeAllBut(present.figures);
        return value.getAsDouble();
    }

    /** Registers the figures that it receives, and knows them afterwards. */
    private final class Present implements FigureVisitor {
        private final Set<Figure> figures = new HashSet<>();

        @Override
        public void counter(Figure figure, LongSupplier value) {
            figures.add(figure);
            Registrar.this.counter(figure, value);
        }

        @Override
        public void gauge(Figure figure, DoubleSupplier value) {
            figures.add(figure);
            Registrar.this.gauge(figure, value);
        }

        @Override
        public void times(Figure figure, Supplier<Times> times) {
            figures.add(figure);
            Registrar.this.times(figure, times);
        }
    }

    @Override
    public void times(Figure figure, Supplier<Times> times) {
        register(figure, made -> timers(figure, times, made));
    }

    private void timers(Figure figure, Supplier<Times> times, Made made) {
        made.sources().add(times);
        made.add(FunctionTimer.builder(
                        figure.name(),
                        times,
                        source -> source.get().count(),
                        source -> source.get().sum(),
                        TimeUnit.SECONDS)
                .tags(tags(figure))
                .description(figure.meaning())
                .register(registry));
        made.add(TimeGauge.builder(figure.name() + ".max", times, TimeUnit.SECONDS, source -> source.get()
                        .longest())
                .tags(tags(figure))
                .description("the longest since the start: " + figure.meaning())
                .register(registry));
        List<Times.Bucket> buckets = times.get().buckets();
        for (int i = 0; i < buckets.size(); i++) {
            int index = i;
            String upTo = buckets.get(i).le();
            bucket(figure, upTo, () -> times.get().buckets().get(index).count(), made);
        }
        bucket(figure, "+Inf", () -> times.get().count(), made);
    }

    private void bucket(Figure figure, String upTo, LongSupplier value, Made made) {
        String meaning = "number that took at most le seconds: " + figure.meaning();
        Tags all = tags(figure).and("le", upTo);
        made.sources().add(value);
        made.add(FunctionCounter.builder(figure.name() + ".within", value, LongSupplier::getAsLong)
                .tags(all)
                .description(meaning)
                .register(registry));
    }

    private synchronized void register(Figure figure, Consumer<Made> register) {
        if (!closed && !known.containsKey(figure)) {
            Made made = new Made(new ArrayList<>(), new ArrayList<>());
            known.put(figure, made);
            register.accept(made);
        }
    }

    private synchronized void removeAllBut(Set<Figure> present) {
        known.entrySet().removeIf(each -> {
            boolean gone = !present.contains(each.getKey());
            if (gone) {
                each.getValue().meters().forEach(registry::remove);
            }
            return gone;
        });
    }

    private Tags tags(Figure figure) {
        Tags all = tags;
        for (Map.Entry<String, String> label : figure.labels().entrySet()) {
            all = all.and(label.getKey(), label.getValue().isEmpty() ? "none" : label.getValue());
        }
        return all;
    }

    private static @Nullable String unit(Figure figure) {
        return figure.unit() == Unit.NONE ? null : figure.unit().symbol();
    }

    /** Ends the registration of new figures. Returns all created meters. */
    synchronized List<Meter> close() {
        closed = true;
        List<Meter> meters = new ArrayList<>();
        known.values().forEach(made -> meters.addAll(made.meters()));
        known.clear();
        return meters;
    }
}
