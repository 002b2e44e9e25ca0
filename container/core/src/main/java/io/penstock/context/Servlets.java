package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.mapping.ServletMappings;
import io.penstock.mapping.UrlPattern;
import io.penstock.time.Saturated;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servlets of a context and their mappings. Descriptors, annotations and code can register servlets until the context has started.
 *
 * <p>Thread: any.
 */
public final class Servlets {
    private static final Logger LOG = LoggerFactory.getLogger(Servlets.class);
    private static final String JSP_PAGES = "*.jsp";

    /** How long {@link #destroy} waits for requests that still run in a servlet. */
    private static final Duration DESTROY_TIMEOUT = Duration.ofSeconds(10);

    private final RegistrationWindow window;
    private final ServletContext context;
    private final ObjectFactory objects;
    private final InstantSource clock;

    @GuardedBy("this")
    private final Map<String, ServletHolder> byName = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<String, ServletHolder> byPattern = new LinkedHashMap<>();

    /** The container's own servlets by pattern. These servlets are used only for patterns that the application has not mapped. */
    @GuardedBy("this")
    private final Map<String, ServletHolder> implicit = new LinkedHashMap<>();

    private volatile RunAs runAs = RunAs.NOBODY;

    Servlets(RegistrationWindow window, ServletContext context, ObjectFactory objects, InstantSource clock) {
        this.window = window;
        this.context = context;
        this.objects = objects;
        this.clock = clock;
    }

    /** Sets the object that runs servlets in the roles of their {@code run-as}. */
    public void runAs(RunAs how) {
        window.requireOpen();
        runAs = how;
    }

    private void runInRole(String role, RunAs.Call call) throws ServletException, IOException {
        runAs.run(role, call);
    }

    /** Declares a servlet. Returns null if the servlet of this name already has a class, an instance or a JSP file. */
    public @Nullable ServletHolder declare(String name, String className) {
        return declare(name, new Source.Named<>(className, Servlet.class));
    }

    public @Nullable ServletHolder declare(String name, Class<? extends Servlet> type) {
        return declare(name, new Source.Typed<>(type));
    }

    /** Declares a servlet like {@link #declare(String, String)}. Also returns null if the instance is registered under another name. */
    public @Nullable ServletHolder declare(String name, Servlet instance) {
        return declare(name, new Source.Given<>(instance, instance.getClass()));
    }

    /**
     * Creates a registration that has only a name. A later call of {@link #declare} adds the class. If the name is already registered,
     * returns the existing registration.
     */
    public synchronized ServletHolder declarePreliminary(String name) {
        window.requireOpen();
        return byName.computeIfAbsent(name, key -> newHolder(key));
    }

    private ServletHolder newHolder(String name) {
        return new ServletHolder(name, window, context, objects, clock, this::runInRole);
    }

    /**
     * Declares a servlet of the container for {@code /}. The application can map another servlet to {@code /} until the context has
     * started.
     *
     * @throws IllegalArgumentException if the name is taken
     */
    public synchronized ServletHolder declareDefault(String name, Servlet instance) {
        return declareImplicit(name, new Source.Given<>(instance, instance.getClass()), List.of("/"));
    }

    /**
     * Declares a servlet of the container for some patterns. The application can map other servlets to these patterns until the context has
     * started.
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
     * Maps all patterns to the servlet. If a pattern is already mapped to another servlet, maps no pattern.
     *
     * @return the patterns that are already mapped to another servlet; empty if this call has mapped all patterns
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

    /**
     * Loads the servlets with {@code load-on-startup} (Servlet 6.1, section 2.3.1). With {@code MAY_FAIL}, a failure is logged, and the first
     * request for the servlet tries again to load the servlet.
     */
    void loadOnStartup(String contextName, ContextSettings.EagerServlets failure) throws ServletException {
        List<ServletHolder> early = all().stream()
                .filter(holder -> holder.loadOnStartup() >= 0 && holder.enabled() && holder.isComplete())
                .sorted(Comparator.comparingInt(ServletHolder::loadOnStartup))
                .toList();
        for (ServletHolder servlet : early) {
            try {
                servlet.lifeCycle().load();
            } catch (Exception | LinkageError e) {
                if (failure == ContextSettings.EagerServlets.MUST_LOAD) {
                    throw e;
                }
                LOG.error("{} of {} failed to load on startup", servlet, contextName, e);
            }
        }
    }

    /** Admits no more calls. Destroys each servlet when its last call has returned, or at the latest after {@link #DESTROY_TIMEOUT}. */
    void destroy() {
        Collection<ServletHolder> all = all();
        all.forEach(servlet -> servlet.lifeCycle().retire());
        long deadline = System.nanoTime() + Saturated.nanos(DESTROY_TIMEOUT);
        for (ServletHolder servlet : all) {
            servlet.lifeCycle().end(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }

    public synchronized @Nullable ServletHolder find(String name) {
        return byName.get(name);
    }

    /** All servlets in order of declaration. */
    public synchronized Collection<ServletHolder> all() {
        return new ArrayList<>(byName.values());
    }

    /** The servlets that the application has declared or mapped, in order of declaration. */
    synchronized Collection<ServletHolder> declared() {
        Collection<ServletHolder> declared = new ArrayList<>();
        for (ServletHolder holder : byName.values()) {
            if (!implicit.containsValue(holder) || !implicit.keySet().containsAll(holder.mappings())) {
                declared.add(holder);
            }
        }
        return declared;
    }

    /** Whether the servlet is one of the container's own servlets. */
    public synchronized boolean isImplicit(ServletHolder servlet) {
        return implicit.containsValue(servlet);
    }

    /**
     * The table of all mappings, including those of the container's own servlets.
     *
     * @param pages the URL patterns of JSP property groups. If a servlet is mapped to {@code *.jsp}, these patterns are also mapped to this
     *     servlet, in place of any other servlet (Pages JSP.3.3)
     */
    synchronized ServletMappings<ServletHolder> table(List<String> pages) {
        implicit.forEach((pattern, holder) -> {
            if (!byPattern.containsKey(pattern)) {
                remap(pattern, holder);
            }
        });
        ServletHolder engine = byPattern.get(JSP_PAGES);
        if (engine != null) {
            pages.forEach(pattern -> remap(pattern, engine));
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
    private void remap(String pattern, ServletHolder holder) {
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
