package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.mapping.ServletMappings;
import io.penstock.mapping.UrlPattern;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The servlets of a context and their mappings: what descriptors, annotations and programmatic registration fill, until the
 * context has started.
 *
 * <p>Thread: any.
 */
public final class Servlets {
    private static final String PAGES = "*.jsp";

    private final RegistrationWindow window;
    private final ServletContext context;
    private final ObjectFactory objects;
    private final InstantSource clock;

    @GuardedBy("this")
    private final Map<String, ServletHolder> byName = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<String, ServletHolder> byPattern = new LinkedHashMap<>();

    /** What is mapped to a pattern if nothing else is by the time the context has started. */
    @GuardedBy("this")
    private final Map<String, ServletHolder> implicit = new LinkedHashMap<>();

    private volatile RunAs runAs = RunAs.NOBODY;

    Servlets(RegistrationWindow window, ServletContext context, ObjectFactory objects, InstantSource clock) {
        this.window = window;
        this.context = context;
        this.objects = objects;
        this.clock = clock;
    }

    /** How servlets are run in the roles that their {@code run-as} names. */
    public void runAs(RunAs how) {
        window.requireOpen();
        runAs = how;
    }

    private void runInRole(String role, RunAs.Call call) throws ServletException, IOException {
        runAs.run(role, call);
    }

    /** Declares a servlet, or returns null if one of that name is complete (has a class, an instance or a JSP file) already. */
    public @Nullable ServletHolder declare(String name, String className) {
        return declare(name, new Source.Named<>(className, Servlet.class));
    }

    public @Nullable ServletHolder declare(String name, Class<? extends Servlet> type) {
        return declare(name, new Source.Typed<>(type));
    }

    /** Also null if the very instance is another declared servlet already. */
    public @Nullable ServletHolder declare(String name, Servlet instance) {
        return declare(name, new Source.Given<>(instance, instance.getClass()));
    }

    /** A registration without a class, to be completed by a later {@link #declare}; the one of that name, if there is one. */
    public synchronized ServletHolder declarePreliminary(String name) {
        window.requireOpen();
        return byName.computeIfAbsent(name, key -> newHolder(key));
    }

    private ServletHolder newHolder(String name) {
        return new ServletHolder(name, window, context, objects, clock, this::runInRole);
    }

    /**
     * The servlet that is mapped to {@code /} if nothing else is by the time the context has started.
     *
     * @throws IllegalArgumentException if the name is taken
     */
    public synchronized ServletHolder declareDefault(String name, Servlet instance) {
        return declareImplicit(name, new Source.Given<>(instance, instance.getClass()), List.of("/"));
    }

    /**
     * A servlet that is mapped to each of these patterns to which nothing else is by the time the context has started.
     *
     * @throws IllegalArgumentException if the name is taken
     */
    public synchronized ServletHolder declareImplicit(
            String name, Class<? extends Servlet> type, List<String> patterns) {
        return declareImplicit(name, new Source.Typed<>(type), patterns);
    }

    private synchronized ServletHolder declareImplicit(String name, Source<Servlet> source, List<String> patterns) {
        ServletHolder holder = declare(name, source);
        if (holder == null) {
            throw new IllegalArgumentException("servlet " + name + " is declared already");
        }
        patterns.forEach(pattern -> implicit.put(pattern, holder));
        return holder;
    }

    synchronized @Nullable ServletHolder declare(String name, Source<Servlet> source) {
        window.requireOpen();
        ServletHolder known = byName.get(name);
        if (known != null && known.isComplete() || isRegistered(source)) {
            return null;
        }
        ServletHolder holder = declarePreliminary(name);
        holder.source(source);
        return holder;
    }

    @GuardedBy("this")
    private boolean isRegistered(Source<Servlet> source) {
        return source instanceof Source.Given<Servlet> given
                && byName.values().stream()
                        .anyMatch(holder ->
                                holder.source() instanceof Source.Given<Servlet> other && other.made() == given.made());
    }

    /**
     * Maps all the patterns to the servlet, or none.
     *
     * @return the patterns that are another servlet's already; empty if all were mapped
     * @throws IllegalArgumentException if a pattern is not valid
     */
    public synchronized Set<String> map(ServletHolder servlet, Collection<String> patterns) {
        window.requireOpen();
        Set<String> taken = new LinkedHashSet<>();
        for (String pattern : patterns) {
            ServletHolder owner = byPattern.get(UrlPattern.parse(pattern).text());
            if (owner != null && owner != servlet) {
                taken.add(pattern);
            }
        }
        if (taken.isEmpty()) {
            Set<String> all = new LinkedHashSet<>(servlet.mappings());
            all.addAll(patterns);
            servlet.mappings(List.copyOf(all));
            patterns.forEach(pattern -> byPattern.put(pattern, servlet));
        }
        return taken;
    }

    public synchronized @Nullable ServletHolder find(String name) {
        return byName.get(name);
    }

    /** In order of declaration. */
    public synchronized Collection<ServletHolder> all() {
        return new ArrayList<>(byName.values());
    }

    /** Those that the application has declared, or mapped to something, in order of declaration. */
    synchronized Collection<ServletHolder> declared() {
        Collection<ServletHolder> declared = new ArrayList<>();
        for (ServletHolder holder : byName.values()) {
            if (!implicit.containsValue(holder) || !implicit.keySet().containsAll(holder.mappings())) {
                declared.add(holder);
            }
        }
        return declared;
    }

    /** Whether the servlet is one of the container's own. */
    synchronized boolean isImplicit(ServletHolder servlet) {
        return implicit.containsValue(servlet);
    }

    /**
     * The table of what is mapped; gives implicit servlets their places first.
     *
     * @param pages patterns of JSP property groups: they go to the servlet of {@code *.jsp}, if there is one, whatever else is
     *     mapped to them (Pages JSP.3.3)
     */
    synchronized ServletMappings<ServletHolder> table(List<String> pages) {
        implicit.forEach((pattern, holder) -> {
            if (!byPattern.containsKey(pattern)) {
                give(pattern, holder);
            }
        });
        ServletHolder engine = byPattern.get(PAGES);
        if (engine != null) {
            pages.forEach(pattern -> give(pattern, engine));
        }
        ServletMappings.Builder<ServletHolder> table = ServletMappings.builder();
        byPattern.forEach((pattern, holder) -> {
            if (holder.enabled()) {
                table.add(pattern, holder);
            }
        });
        return table.build();
    }

    @GuardedBy("this")
    private void give(String pattern, ServletHolder holder) {
        ServletHolder before = byPattern.put(pattern, holder);
        if (before != null && before != holder) {
            before.mappings(before.mappings().stream()
                    .filter(other -> !other.equals(pattern))
                    .toList());
        }
        if (before != holder) {
            List<String> all = new ArrayList<>(holder.mappings());
            all.add(pattern);
            holder.mappings(all);
        }
    }
}
