package io.penstock.telemetry;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Receives each figure of a server with the source of its value, to pass it to a metrics library, a management console, or a text. Figures
 * of the same name come one after the other.
 *
 * <p>Thread: the caller of the visit. Any thread except the server's reactors may read the sources. After the end of the server, the
 * sources return the last values. Reading a source usually costs little. But the first reading within a second may take up to a second
 * while connections are counted.
 */
public interface FigureVisitor {

    /** The number of events since the start, or a total since the start. */
    void counter(Figure figure, LongSupplier value);

    /** A level that rises and falls. */
    void gauge(Figure figure, DoubleSupplier value);

    /** A histogram of durations. */
    void times(Figure figure, Supplier<Times> times);
}
