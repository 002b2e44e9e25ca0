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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the meters of each figure in one registry. Each figure is registered once.
 *
 * <p>Thread: any; registries read meters from several threads. Owns: the meters, until {@link #close}.
 */
final class Registrar implements FigureVisitor {
    /**
     * The name of a gauge that always exists. A reading of this gauge means that the registry reads its meters. At this moment, new figures
     * are registered.
     */
    private static final String WATCHED = "penstock.connections";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Consumer<Registrar> whenRead;

    /**
     * The sources of the meters. A registry has strong references only to the sources of gauges. One gauge references this object, and so
     * all other sources.
     */
    @GuardedBy("this")
    private final Map<Figure, List<Object>> known = new HashMap<>();

    /** The created meters; null after {@link #close}. */
    @GuardedBy("this")
    private @Nullable List<Meter> meters = new ArrayList<>();

    /** @param whenRead passes all figures to this object again; called at a reading of {@link #WATCHED} */
    Registrar(MeterRegistry registry, Tags tags, Consumer<Registrar> whenRead) {
        this.registry = registry;
        this.tags = tags;
        this.whenRead = whenRead;
    }

    @Override
    public void counter(Figure figure, LongSupplier value) {
        register(figure, held -> {
            held.add(value);
            made(FunctionCounter.builder(figure.name(), value, LongSupplier::getAsLong)
                    .tags(tags(figure))
                    .description(figure.meaning())
                    .baseUnit(unit(figure))
                    .register(registry));
        });
    }

    @Override
    public void gauge(Figure figure, DoubleSupplier value) {
        DoubleSupplier read = figure.name().equals(WATCHED) ? () -> noticed(value) : value;
        register(figure, held -> {
            held.add(read);
            made(Gauge.builder(figure.name(), read, DoubleSupplier::getAsDouble)
                    .tags(tags(figure))
                    .description(figure.meaning())
                    .baseUnit(unit(figure))
                    .strongReference(true)
                    .register(registry));
        });
    }

    private double noticed(DoubleSupplier value) {
        whenRead.accept(this);
        return value.getAsDouble();
    }

    @Override
    public void times(Figure figure, Supplier<Times> times) {
        register(figure, held -> timers(figure, times, held));
    }

    private void timers(Figure figure, Supplier<Times> times, List<Object> held) {
        held.add(times);
        made(FunctionTimer.builder(
                        figure.name(),
                        times,
                        source -> source.get().count(),
                        source -> source.get().sum(),
                        TimeUnit.SECONDS)
                .tags(tags(figure))
                .description(figure.meaning())
                .register(registry));
        made(TimeGauge.builder(figure.name() + ".max", times, TimeUnit.SECONDS, source -> source.get()
                        .longest())
                .tags(tags(figure))
                .description("the longest since the start: " + figure.meaning())
                .register(registry));
        List<Times.Bucket> buckets = times.get().buckets();
        for (int i = 0; i < buckets.size(); i++) {
            int index = i;
            String upTo = buckets.get(i).le();
            bucket(figure, upTo, () -> times.get().buckets().get(index).count(), held);
        }
        bucket(figure, "+Inf", () -> times.get().count(), held);
    }

    private void bucket(Figure figure, String upTo, LongSupplier value, List<Object> held) {
        String meaning = "number that took at most le seconds: " + figure.meaning();
        Tags all = tags(figure).and("le", upTo);
        held.add(value);
        made(FunctionCounter.builder(figure.name() + ".within", value, LongSupplier::getAsLong)
                .tags(all)
                .description(meaning)
                .register(registry));
    }

    private synchronized void register(Figure figure, Consumer<List<Object>> register) {
        if (meters != null && !known.containsKey(figure)) {
            List<Object> held = new ArrayList<>();
            known.put(figure, held);
            register.accept(held);
        }
    }

    private synchronized void made(Meter meter) {
        if (meters != null) {
            meters.add(meter);
        }
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
        List<Meter> made = meters == null ? List.of() : meters;
        meters = null;
        known.clear();
        return made;
    }
}
