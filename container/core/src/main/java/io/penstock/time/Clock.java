package io.penstock.time;

/** Where time comes from: nanoseconds since an arbitrary origin, as {@link System#nanoTime()} gives them. */
@FunctionalInterface
public interface Clock {

    Clock SYSTEM = System::nanoTime;

    long nanos();
}
