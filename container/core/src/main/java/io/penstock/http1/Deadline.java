package io.penstock.http1;

import io.penstock.reactor.Link;
import io.penstock.time.TimerWheel;
import java.time.Duration;

/** One of the two times a connection waits for: that of its reading half or that of its writing half. Thread: the reactor. */
final class Deadline extends TimerWheel.Timer {
    private final Link link;
    private final Link.Part passed;

    /** @param passed what to do when it has passed */
    Deadline(Link link, Link.Part passed) {
        this.link = link;
        this.passed = passed;
    }

    /** Sets the deadline, or moves it. */
    void in(Duration wait) {
        in(wait.toNanos());
    }

    /** The same in nanoseconds. */
    void in(long nanos) {
        link.reactor().wheel().set(this, link.reactor().now() + nanos);
    }

    /** The same at a moment by the reactor's clock. */
    void at(long nanos) {
        link.reactor().wheel().set(this, nanos);
    }

    void off() {
        link.reactor().wheel().cancel(this);
    }

    /** Turns it off for good. */
    void remove() {
        link.reactor().wheel().remove(this);
    }

    @Override
    protected void expired() {
        link.contain(passed);
    }
}
