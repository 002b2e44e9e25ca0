package io.penstock.naming;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the application that a thread works for. The class loader of this application is the thread's context class loader, or an ancestor
 * of the context class loader. Thread: any.
 */
final class ThreadApplications {
    /**
     * The applications by class loader. Several applications have the same class loader if an embedding program creates their contexts by
     * code.
     */
    private static final Map<ClassLoader, List<ApplicationNames>> BY_LOADER = new ConcurrentHashMap<>();

    private ThreadApplications() {}

    static void add(ClassLoader loader, ApplicationNames names) {
        BY_LOADER.merge(loader, List.of(names), (before, added) -> Stream.concat(before.stream(), added.stream())
                .toList());
    }

    static void remove(ClassLoader loader, ApplicationNames names) {
        BY_LOADER.computeIfPresent(loader, (key, before) -> {
            List<ApplicationNames> rest =
                    before.stream().filter(other -> other != names).toList();
            return rest.isEmpty() ? null : rest;
        });
    }

    static boolean hasAny() {
        return !found().isEmpty();
    }

    /**
     * The names of the application that the calling thread works for; null if the thread works for no application.
     *
     * @throws NamingException if several applications share the class loader of the thread
     */
    static @Nullable ApplicationNames current() throws NamingException {
        List<ApplicationNames> found = found();
        if (found.size() > 1) {
            throw new NamingException("several applications share the class loader of this thread: " + found
                    + "; give each a class loader of its own to use JNDI");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private static List<ApplicationNames> found() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        while (loader != null) {
            List<ApplicationNames> found = BY_LOADER.get(loader);
            if (found != null) {
                return found;
            }
            loader = loader.getParent();
        }
        return List.of();
    }
}
