package io.penstock.context;

import jakarta.servlet.Servlet;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The servlets of a context and their mappings: what descriptors, annotations and programmatic registration fill, until the
 * context has started. Thread: any while NEW; then read only.
 */
public final class Servlets {

    Servlets() {}

    /** Declares a servlet, or returns null if one of that name is complete (has a class, an instance or a JSP file) already. */
    public @Nullable ServletHolder declare(String name, String className) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable ServletHolder declare(String name, Class<? extends Servlet> type) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable ServletHolder declare(String name, Servlet instance) {
        return io.penstock.session.Pending.pending();
    }

    /** The servlet that is mapped to {@code /} if nothing else is by the time the context has started. */
    public ServletHolder declareDefault(String name, Servlet instance) {
        return io.penstock.session.Pending.pending();
    }

    /**
     * Maps all the patterns to the servlet, or none.
     *
     * @return the patterns that are another servlet's already; empty if all were mapped
     * @throws IllegalArgumentException if a pattern is not valid
     */
    public Set<String> map(ServletHolder servlet, Collection<String> patterns) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable ServletHolder find(String name) {
        return io.penstock.session.Pending.pending();
    }

    /** In order of declaration. */
    public Collection<ServletHolder> all() {
        return io.penstock.session.Pending.pending();
    }
}
