package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.mapping.UrlPattern;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The filters of a context and their mappings. Filters can be registered until the context has started. Thread: any. */
public final class Filters {

    /**
     * The position of a mapping relative to the mappings of the descriptor. The mappings of the descriptor have the position {@code
     * DECLARED}.
     */
    public enum Position {
        BEFORE,
        DECLARED,
        AFTER
    }

    private static final Logger LOG = LoggerFactory.getLogger(Filters.class);

    private final String contextName;
    private final RegistrationWindow window;
    private final ServletContext context;
    private final ObjectFactory objects;

    @GuardedBy("this")
    private final Map<String, FilterHolder> byName = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<Position, List<FilterMapping>> mappings = new EnumMap<>(Position.class);

    @GuardedBy("this")
    private boolean hasWarned;

    /** @param contextName the name of the context, for operators */
    Filters(String contextName, RegistrationWindow window, ServletContext context, ObjectFactory objects) {
        this.contextName = contextName;
        this.window = window;
        this.context = context;
        this.objects = objects;
    }

    /** Declares a filter. Returns null if the filter of this name already has a class or an instance. */
    public @Nullable FilterHolder declare(String name, String className) {
        return declare(name, new Source.Named<>(className, Filter.class));
    }

    public @Nullable FilterHolder declare(String name, Class<? extends Filter> type) {
        return declare(name, new Source.Typed<>(type));
    }

    /** Declares a filter like {@link #declare(String, String)}. Also returns null if the instance is registered under another name. */
    public @Nullable FilterHolder declare(String name, Filter instance) {
        return declare(name, new Source.Given<>(instance, instance.getClass()));
    }

    /**
     * Creates a registration that has only a name. A later call of {@link #declare} adds the class. If the name is already registered,
     * returns the existing registration.
     */
    public synchronized FilterHolder declarePreliminary(String name) {
        window.requireOpen();
        return byName.computeIfAbsent(name, key -> new FilterHolder(key, window, context, objects));
    }

    private synchronized @Nullable FilterHolder declare(String name, Source<Filter> source) {
        window.requireOpen();
        FilterHolder known = byName.get(name);
        if (known != null && known.isComplete() || isRegistered(source)) {
            return null;
        }
        FilterHolder holder = declarePreliminary(name);
        holder.source(source);
        return holder;
    }

    @GuardedBy("this")
    private boolean isRegistered(Source<Filter> source) {
        return source instanceof Source.Given<Filter> given
                && byName.values().stream()
                        .anyMatch(holder ->
                                holder.source() instanceof Source.Given<Filter> other && other.made() == given.made());
    }

    /**
     * Maps a filter to URL patterns. If {@code types} is empty, the mapping is for REQUEST.
     *
     * @throws IllegalArgumentException if a pattern is not valid
     */
    public void mapUrlPatterns(
            FilterHolder filter, Set<DispatcherType> types, Position position, Collection<String> patterns) {
        if (!patterns.isEmpty()) {
            add(position, FilterMapping.ofPatterns(filter, types, patterns));
        }
        if (patterns.contains(UrlPattern.STAR)) {
            warn(filter);
        }
    }

    /** Logs one line for each context, however many of its filters have the pattern. */
    private synchronized void warn(FilterHolder filter) {
        if (!hasWarned) {
            LOG.warn(
                    "{}: {} has the URL pattern *, which is not in the specification; it is taken as /*",
                    contextName,
                    filter);
        }
        hasWarned = true;
    }

    /** Maps a filter to servlets. If {@code types} is empty, the mapping is for REQUEST. The name {@code *} stands for every servlet. */
    public void mapServletNames(
            FilterHolder filter, Set<DispatcherType> types, Position position, Collection<String> servletNames) {
        if (!servletNames.isEmpty()) {
            add(position, FilterMapping.ofServlets(filter, types, servletNames));
        }
    }

    private synchronized void add(Position position, FilterMapping mapping) {
        window.requireOpen();
        mappings.computeIfAbsent(position, key -> new ArrayList<>()).add(mapping);
    }

    public synchronized @Nullable FilterHolder find(String name) {
        return byName.get(name);
    }

    /** All filters in order of declaration. */
    public synchronized Collection<FilterHolder> all() {
        return new ArrayList<>(byName.values());
    }

    /** The URL patterns that are mapped to the filter so far. */
    public Set<String> urlPatterns(FilterHolder filter) {
        Set<String> patterns = new LinkedHashSet<>();
        for (FilterMapping mapping : ordered()) {
            if (mapping.filter() == filter) {
                mapping.patterns().forEach(pattern -> patterns.add(pattern.text()));
            }
        }
        return patterns;
    }

    /** The servlet names that are mapped to the filter so far. */
    public Set<String> servletNames(FilterHolder filter) {
        Set<String> names = new LinkedHashSet<>();
        for (FilterMapping mapping : ordered()) {
            if (mapping.filter() == filter) {
                names.addAll(mapping.servlets());
            }
        }
        return names;
    }

    /**
     * Initialises all filters in order of declaration (Servlet 6.1, section 6.2.1). If a filter fails, the following filters are not initialised.
     */
    void initialise() throws ServletException {
        for (FilterHolder filter : all()) {
            if (filter.isComplete()) {
                filter.initialise();
            }
        }
    }

    /** Destroys all filters. Idempotent. */
    void destroy() {
        all().forEach(FilterHolder::destroy);
    }

    FilterMappings table() {
        return new FilterMappings(ordered());
    }

    private synchronized List<FilterMapping> ordered() {
        List<FilterMapping> all = new ArrayList<>();
        mappings.values().forEach(all::addAll);
        return all;
    }
}
