package io.penstock.context;

import io.penstock.mapping.UrlPattern;
import jakarta.servlet.DispatcherType;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One mapping of one filter. A mapping has dispatcher types. It also has URL patterns or servlet names, but not both. */
record FilterMapping(FilterHolder filter, Set<DispatcherType> types, List<UrlPattern> patterns, List<String> servlets) {

    /** @throws IllegalArgumentException if a pattern is not valid */
    static FilterMapping ofPatterns(FilterHolder filter, Set<DispatcherType> types, Collection<String> patterns) {
        List<UrlPattern> parsed = patterns.stream().map(UrlPattern::ofFilter).toList();
        return new FilterMapping(filter, orRequest(types), parsed, List.of());
    }

    static FilterMapping ofServlets(FilterHolder filter, Set<DispatcherType> types, Collection<String> names) {
        return new FilterMapping(filter, orRequest(types), List.of(), List.copyOf(names));
    }

    private static Set<DispatcherType> orRequest(Set<DispatcherType> types) {
        return types.isEmpty() ? EnumSet.of(DispatcherType.REQUEST) : EnumSet.copyOf(types);
    }

    boolean isByPattern() {
        return !patterns.isEmpty();
    }

    boolean matches(DispatcherType type, @Nullable String path, @Nullable String servletName) {
        if (!types.contains(type)) {
            return false;
        }
        return isByPattern() ? path != null && coversPath(path) : servletName != null && namesServlet(servletName);
    }

    private boolean coversPath(String path) {
        for (int i = 0; i < patterns.size(); i++) {
            if (patterns.get(i).covers(path)) {
                return true;
            }
        }
        return false;
    }

    private boolean namesServlet(String servletName) {
        for (int i = 0; i < servlets.size(); i++) {
            String name = servlets.get(i);
            if (name.equals(servletName) || name.equals("*")) {
                return true;
            }
        }
        return false;
    }
}
