package io.penstock.telemetry;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Receives each figure of a server and a source of its value. Visitors pass the figures to a metrics library or to a management console, or
 * write them to a text. Figures of the same name follow each other directly.
 *
 * <p>Thread: the thread that passes the figures. Any thread except the server's selector threads can read the sources. After the end of the
 * server, the sources return the last values. Most readings of a source cost little. At most once per second, a reading makes the server
 * count its connections. Such a reading can take up to one second.
 */
public interface FigureVisitor {

    /** Receives a number of events since the server's start, or another total since the start. */
    void counter(Figure figure, LongSupplier value);

    /** Receives a level that can rise and fall. */
    void gauge(Figure figure, DoubleSupplier value);

    /** Receives a histogram of durations. */
    void times(Figure figure, Supplier<Times> times);
}
