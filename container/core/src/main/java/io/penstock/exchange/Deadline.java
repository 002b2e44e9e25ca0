package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import io.penstock.time.Saturated;
import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.time.Duration;

/**
 * A deadline of a connection, for example for reads or for writes. An exception of its action closes the link. A deadline of a single stream
 * runs its action in {@link RunningExchange.Stream#contain}, so that an exception ends only the stream.
 *
 * <p>Thread: the reactor.
 */
public abstract class Deadline extends TimerWheel.Timer {
    private final Link link;

    protected Deadline(Link link) {
        this.link = link;
    }

    public final Link link() {
        return link;
    }

    /** Called when the deadline has passed. At this time, the deadline is off, and this method can set it again. */
    protected abstract void passed() throws IOException;

    /** Sets or moves the deadline to {@code wait} from now. */
    public void in(Duration wait) {
        in(Saturated.nanos(wait));
    }

    /** Sets or moves the deadline to {@code nanos} nanoseconds from now. */
    public void in(long nanos) {
        Reactor reactor = link.reactor();
        reactor.wheel().set(this, reactor.now() + nanos);
    }

    /** Sets or moves the deadline to the time {@code nanos} of the reactor's clock. */
    public void at(long nanos) {
        link.reactor().wheel().set(this, nanos);
    }

    public void off() {
        link.reactor().wheel().cancel(this);
    }

    /** Turns the deadline off permanently. After this call, the deadline cannot be set again. */
    public void remove() {
        link.reactor().wheel().remove(this);
    }

    @Override
    protected final void expired() {
        Link.Part action;
        try {
            action = this::passed;
        } catch (OutOfMemoryError e) {
            in(0); // otherwise the deadline would be lost; the next tick tries again
            throw e;
        }
        link.contain(action);
    }
}
