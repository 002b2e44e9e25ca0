package io.penstock.context;

import io.penstock.time.Saturated;
import jakarta.servlet.ServletException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the servlets and filters of a context to life and ends them, in the order of Servlet 6.1, 2.3 and 6.2.1. */
final class ContextStart {
    private static final Logger LOG = LoggerFactory.getLogger(ContextStart.class);

    /** How long a servlet may still finish what it answers as its context stops. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private ContextStart() {}

    /** All filters, in order of declaration; the first that fails ends the start. */
    static void initialise(Filters filters) throws ServletException {
        for (FilterHolder filter : filters.all()) {
            if (filter.isComplete()) {
                filter.initialise();
            }
        }
    }

    /** The servlets that load on startup, lower order first. One that fails is logged; its first request tries again. */
    static void load(Servlets servlets, String contextName) {
        List<ServletHolder> early = servlets.all().stream()
                .filter(holder -> holder.loadOnStartup() >= 0 && holder.enabled() && holder.isComplete())
                .sorted(Comparator.comparingInt(ServletHolder::loadOnStartup))
                .toList();
        for (ServletHolder servlet : early) {
            try {
                servlet.lifeCycle().load();
            } catch (ServletException | RuntimeException | LinkageError e) {
                LOG.error("{} of {} failed to load on startup", servlet, contextName, e);
            }
        }
    }

    /** No servlet takes calls any more; each is destroyed when those that run in it are done, or patience is. */
    static void end(Servlets servlets) {
        Collection<ServletHolder> all = servlets.all();
        all.forEach(servlet -> servlet.lifeCycle().retire());
        long deadline = System.nanoTime() + Saturated.nanos(PATIENCE);
        for (ServletHolder servlet : all) {
            servlet.lifeCycle().end(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }

    static void end(Filters filters) {
        filters.all().forEach(FilterHolder::destroy);
    }
}
