package io.penstock.telemetry;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gets each figure of a server, with the source of its value, to pass it to a metrics library, a management console, or a text. All figures
 * of one name come one after the other.
 *
 * <p>Thread: the caller of the visit. Any thread may read the sources, except the server's reactors. After the server's end they return the
 * last values. Reading a source costs little. But the first reading in a second may wait up to a second while connections are counted.
 */
public interface FigureVisitor {

    /** A number of events, or a total, since the start. */
    void counter(Figure figure, LongSupplier value);

    /** A level that rises and falls. */
    void gauge(Figure figure, DoubleSupplier value);

    /** A histogram of durations. */
    void times(Figure figure, Supplier<Times> times);
}
