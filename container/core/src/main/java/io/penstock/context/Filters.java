package io.penstock.context;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The filters of a context and their mappings, as {@link Servlets}. */
public final class Filters {

    /** Where a mapping stands beside those of the descriptor, which are {@code DECLARED}. */
    public enum Position {
        BEFORE,
        DECLARED,
        AFTER
    }

    Filters() {}

    /** Declares a filter, or returns null if one of that name is there already. */
    public @Nullable FilterHolder declare(String name, String className) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable FilterHolder declare(String name, Class<? extends Filter> type) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable FilterHolder declare(String name, Filter instance) {
        return io.penstock.session.Pending.pending();
    }

    /** No types: REQUEST. */
    public void mapUrlPatterns(
            FilterHolder filter, Set<DispatcherType> types, Position position, Collection<String> patterns) {
        io.penstock.session.Pending.pending();
    }

    /** No types: REQUEST. The name {@code *} stands for every servlet. */
    public void mapServletNames(
            FilterHolder filter, Set<DispatcherType> types, Position position, Collection<String> servletNames) {
        io.penstock.session.Pending.pending();
    }

    public @Nullable FilterHolder find(String name) {
        return io.penstock.session.Pending.pending();
    }

    /** In order of declaration. */
    public Collection<FilterHolder> all() {
        return io.penstock.session.Pending.pending();
    }
}
