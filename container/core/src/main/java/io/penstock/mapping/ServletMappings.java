package io.penstock.mapping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The immutable table of the URL patterns of one context. A lookup tries the rules of Servlet 6.1, section 12.1 in this order: exact match, longest
 * path prefix, extension, default.
 *
 * <p>Thread: any. A lookup of an exact match or of the context root allocates nothing; other lookups allocate the match and its parts.
 */
public final class ServletMappings<T> {
    private final Map<String, Match<T>> exact;
    private final @Nullable Match<T> contextRoot;
    private final List<Entry<T>> prefixes;
    private final List<Entry<T>> extensions;
    private final @Nullable Entry<T> fallback;

    private ServletMappings(Builder<T> builder) {
        Map<String, Match<T>> exactMatches = new LinkedHashMap<>();
        List<Entry<T>> prefixEntries = new ArrayList<>();
        List<Entry<T>> extensionEntries = new ArrayList<>();
        Match<T> root = null;
        Entry<T> last = null;
        for (Entry<T> entry : builder.entries.values()) {
            String key = entry.pattern.key();
            switch (entry.pattern.kind()) {
                case EXACT -> exactMatches.put(key, new Match<>(entry.target, MatchKind.EXACT, key, key, null));
                case PATH -> prefixEntries.add(entry);
                case EXTENSION -> extensionEntries.add(entry);
                case DEFAULT -> last = entry;
                case CONTEXT_ROOT -> root = new Match<>(entry.target, MatchKind.CONTEXT_ROOT, "", "", "/");
            }
        }
        prefixEntries.sort(Comparator.comparingInt(entry -> -entry.pattern.key().length()));
        extensionEntries.sort(
                Comparator.comparingInt(entry -> -entry.pattern.key().length()));
        exact = Map.copyOf(exactMatches);
        prefixes = List.copyOf(prefixEntries);
        extensions = List.copyOf(extensionEntries);
        contextRoot = root;
        fallback = last;
    }

    /**
     * The target of a path within the context.
     *
     * @param path the path, decoded and normalised, starting with {@code /}; an empty path is the context root without its slash
     */
    public @Nullable Match<T> match(String path) {
        Match<T> found = exact.get(path);
        if (found != null) {
            return found;
        }
        if (contextRoot != null && path.length() <= 1) {
            return contextRoot;
        }
        found = byPrefix(path);
        if (found == null) {
            found = byExtension(path);
        }
        if (found == null && fallback != null) {
            found = new Match<>(fallback.target, MatchKind.DEFAULT, fallback.pattern.text(), path, null);
        }
        return found;
    }

    private @Nullable Match<T> byPrefix(String path) {
        for (int i = 0; i < prefixes.size(); i++) {
            Entry<T> entry = prefixes.get(i);
            String prefix = entry.pattern.key();
            if (UrlPattern.isPrefix(prefix, path)) {
                int end = prefix.length();
                String rest = path.length() == end ? null : path.substring(end);
                return new Match<>(entry.target, MatchKind.PATH, entry.pattern.text(), prefix, rest);
            }
        }
        return null;
    }

    private @Nullable Match<T> byExtension(String path) {
        for (int i = 0; i < extensions.size(); i++) {
            Entry<T> entry = extensions.get(i);
            String suffix = entry.pattern.key();
            if (UrlPattern.hasExtension(suffix, path)) {
                return new Match<>(entry.target, MatchKind.EXTENSION, entry.pattern.text(), path, null);
            }
        }
        return null;
    }

    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    private record Entry<T>(UrlPattern pattern, T target) {}

    /** Collects patterns. Thread: one. */
    public static final class Builder<T> {
        private final Map<String, Entry<T>> entries = new LinkedHashMap<>();

        private Builder() {}

        /** @throws IllegalArgumentException if the pattern is invalid, or has already been added */
        public Builder<T> add(String pattern, T target) {
            Entry<T> entry = new Entry<>(UrlPattern.parse(pattern), target);
            if (entries.putIfAbsent(pattern, entry) != null) {
                throw new IllegalArgumentException("URL pattern is mapped twice: " + pattern);
            }
            return this;
        }

        public ServletMappings<T> build() {
            return new ServletMappings<>(this);
        }
    }
}
