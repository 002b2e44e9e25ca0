package io.penstock.mapping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The context paths of a server, in an immutable table. A context path matches a request's path in two cases: the paths are equal, or the
 * request's path starts with the context path and a slash. The longest match wins (Servlet 6.1, section 12.1).
 *
 * <p>Thread: any. A lookup allocates nothing. A change creates a new table, so the owner can replace the table atomically.
 */
public final class ContextMappings<T> {
    private final List<Entry<T>> entries;

    private ContextMappings(List<Entry<T>> entries) {
        this.entries = entries;
    }

    public static <T> ContextMappings<T> empty() {
        return new ContextMappings<>(List.of());
    }

    /** The context of a decoded and normalised path; null if no context matches. */
    public @Nullable T match(String path) {
        for (int i = 0; i < entries.size(); i++) {
            Entry<T> entry = entries.get(i);
            if (UrlPattern.isPrefix(entry.contextPath, path)) {
                return entry.target;
            }
        }
        return null;
    }

    /**
     * Returns this table with one more context. A context with the same path is replaced.
     *
     * @param contextPath the context path: empty for the root; otherwise with a slash at the start and without a slash at the end
     */
    public ContextMappings<T> with(String contextPath, T target) {
        if (!contextPath.isEmpty() && (contextPath.charAt(0) != '/' || contextPath.endsWith("/"))) {
            throw new IllegalArgumentException("context path must be empty or /name: " + contextPath);
        }
        List<Entry<T>> next = others(contextPath);
        next.add(new Entry<>(contextPath, target));
        next.sort(Comparator.comparingInt(entry -> -entry.contextPath.length()));
        return new ContextMappings<>(List.copyOf(next));
    }

    public ContextMappings<T> without(String contextPath) {
        return new ContextMappings<>(List.copyOf(others(contextPath)));
    }

    /** The mapped targets, longest context path first. */
    public List<T> targets() {
        return entries.stream().map(Entry::target).toList();
    }

    private List<Entry<T>> others(String contextPath) {
        List<Entry<T>> others = new ArrayList<>(entries);
        others.removeIf(entry -> entry.contextPath.equals(contextPath));
        return others;
    }

    private record Entry<T>(String contextPath, T target) {}
}
