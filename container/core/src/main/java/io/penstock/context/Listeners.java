package io.penstock.context;

import jakarta.servlet.ServletRequest;
import java.util.EventListener;

/**
 * The listeners of a context, in order of declaration; ends are told in reverse order. What a listener throws goes to the caller
 * where the specification says so, and to the log elsewhere.
 *
 * <p>Thread: registration one at a time while the context starts; events from any.
 */
public final class Listeners {

    Listeners() {}

    /**
     * A listener that a descriptor or an annotation declares.
     *
     * @throws IllegalArgumentException if it is no listener that a context knows
     */
    public void declare(Class<? extends EventListener> type) {
        io.penstock.session.Pending.pending();
    }

    /** As {@link #declare(Class)}, an instance that an embedder made. */
    public void declare(EventListener listener) {
        io.penstock.session.Pending.pending();
    }

    /** A request comes into the scope of the context; what a listener throws is thrown on. */
    public void requestInitialized(ServletRequest request) {
        io.penstock.session.Pending.pending();
    }

    /** A request leaves the scope of the context; what listeners throw is logged. */
    public void requestDestroyed(ServletRequest request) {
        io.penstock.session.Pending.pending();
    }

    public void requestAttributeAdded(ServletRequest request, String name, Object value) {
        io.penstock.session.Pending.pending();
    }

    public void requestAttributeRemoved(ServletRequest request, String name, Object value) {
        io.penstock.session.Pending.pending();
    }

    /** @param old what was bound before */
    public void requestAttributeReplaced(ServletRequest request, String name, Object old) {
        io.penstock.session.Pending.pending();
    }
}
