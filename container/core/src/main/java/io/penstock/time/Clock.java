package io.penstock.time;

/** A source of time. It returns the nanoseconds since an arbitrary origin, like {@link System#nanoTime()}. */
@FunctionalInterface
public interface Clock {

    Clock SYSTEM = System::nanoTime;

    long nanos();
}
