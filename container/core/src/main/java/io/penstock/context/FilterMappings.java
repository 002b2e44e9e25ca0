package io.penstock.context;

import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the filters of a dispatch, in order (Servlet 6.1, sections 6.2.4 and 8.1.2).
 *
 * <p>For each dispatch, a bit set records which mappings match. Dispatches with equal bit sets share one list of filters.
 *
 * <p>Thread: any.
 */
public final class FilterMappings {
    private static final int BITS = Long.SIZE;
    private static final int MAX_PLANS = 64;

    private final List<FilterMapping> mappings;
    private volatile Plan[] plans = new Plan[0];

    private record Plan(long matched, List<FilterHolder> filters) {}

    /** @param declared all mappings in order of declaration; the constructor moves mappings by pattern before mappings by name */
    FilterMappings(List<FilterMapping> declared) {
        List<FilterMapping> ordered = new ArrayList<>();
        declared.stream().filter(FilterMapping::isByPattern).forEach(ordered::add);
        declared.stream().filter(mapping -> !mapping.isByPattern()).forEach(ordered::add);
        mappings = List.copyOf(ordered);
    }

    /**
     * The filters of one dispatch in order; each filter occurs once. Filters that are mapped by URL pattern come before filters that are
     * mapped by servlet name. Usually the list is shared, so nothing is allocated.
     *
     * @param path the decoded path within the context; null for a dispatch by name
     * @param servletName the name of the target servlet, or null
     */
    public List<FilterHolder> match(DispatcherType type, @Nullable String path, @Nullable String servletName) {
        if (mappings.size() > BITS) {
            return collect(type, path, servletName);
        }
        long matched = 0;
        for (int i = 0; i < mappings.size(); i++) {
            if (mappings.get(i).matches(type, path, servletName)) {
                matched |= 1L << i;
            }
        }
        if (matched == 0) {
            return List.of();
        }
        for (Plan plan : plans) {
            if (plan.matched == matched) {
                return plan.filters;
            }
        }
        return remember(matched);
    }

    private List<FilterHolder> collect(DispatcherType type, @Nullable String path, @Nullable String servletName) {
        Set<FilterHolder> filters = new LinkedHashSet<>();
        for (FilterMapping mapping : mappings) {
            if (mapping.matches(type, path, servletName)) {
                filters.add(mapping.filter());
            }
        }
        return List.copyOf(filters);
    }

    private synchronized List<FilterHolder> remember(long matched) {
        Set<FilterHolder> filters = new LinkedHashSet<>();
        for (int i = 0; i < mappings.size(); i++) {
            if ((matched & 1L << i) != 0) {
                filters.add(mappings.get(i).filter());
            }
        }
        Plan plan = new Plan(matched, List.copyOf(filters));
        Plan[] known = plans;
        if (known.length < MAX_PLANS) {
            Plan[] next = Arrays.copyOf(known, known.length + 1);
            next[known.length] = plan;
            plans = next;
        }
        return plan.filters;
    }
}
