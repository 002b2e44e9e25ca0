package io.penstock.telemetry;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Is told each figure of a server, and where it is read: the way to a metrics library, a management console, a text. All figures of one
 * name come one after the other.
 *
 * <p>Thread: told on the caller's. What it is told may be read by any thread that is none of the server's own reactors, as long as the
 * server is not collected; after its end the last values are read. A reading costs little, and a first one within a second may wait that
 * long for connections to be counted.
 */
public interface FigureVisitor {

    /** Something that has happened so often, or has come to so much, since the start. */
    void counter(Figure figure, LongSupplier value);

    /** Something that has a level. */
    void gauge(Figure figure, DoubleSupplier value);

    /** Something that takes time. */
    void times(Figure figure, Supplier<Times> times);
}
