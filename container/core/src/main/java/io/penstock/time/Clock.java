package io.penstock.time;

/** The source of time: nanoseconds since an arbitrary origin, as from {@link System#nanoTime()}. */
@FunctionalInterface
public interface Clock {

    Clock SYSTEM = System::nanoTime;

    long nanos();
}
