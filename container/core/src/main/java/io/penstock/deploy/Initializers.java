package io.penstock.deploy;

import io.penstock.context.ContextInitializer;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.annotation.HandlesTypes;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the {@link ServletContainerInitializer}s of an application, and the classes that each wants to see (Servlet 8.2.4). */
final class Initializers {
    private Initializers() {}

    /** Where the classes come from that initialisers may want to see; asked only if one does. */
    @FunctionalInterface
    interface Classes {
        TypeIndex index() throws DeploymentException;
    }

    /**
     * The initialisers, ready to run: those of the container's parts, then the application's.
     *
     * @param excluded jars that the absolute ordering leaves out: their initialisers do not count
     */
    static List<ContextInitializer> of(Parts parts, ClassLoader loader, Set<Path> excluded, Classes classes)
            throws DeploymentException {
        List<ServletContainerInitializer> all = new ArrayList<>(parts.initializers());
        all.addAll(find(loader, excluded));
        List<ContextInitializer> ready = new ArrayList<>();
        for (ServletContainerInitializer initializer : all) {
            Set<Class<?>> wanted = wanted(initializer, classes, loader);
            ready.add(context -> initializer.onStartup(wanted, context));
        }
        return ready;
    }

    private static List<ServletContainerInitializer> find(ClassLoader loader, Set<Path> excluded)
            throws DeploymentException {
        List<ServletContainerInitializer> found = new ArrayList<>();
        try {
            for (ServiceLoader.Provider<ServletContainerInitializer> provider :
                    ServiceLoader.load(ServletContainerInitializer.class, loader).stream()
                            .toList()) {
                if (!comesFrom(provider.type(), excluded)) {
                    found.add(provider.get());
                }
            }
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new DeploymentException("a ServletContainerInitializer cannot be loaded: " + e.getMessage(), e);
        }
        return found;
    }

    private static boolean comesFrom(Class<?> type, Set<Path> excluded) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location != null
                && excluded.stream().anyMatch(jar -> jar.toUri().toString().equals(location.toString()));
    }

    /** The classes for {@code onStartup}: null where none is asked for or none is found, as the specification wants it. */
    private static @Nullable Set<Class<?>> wanted(
            ServletContainerInitializer initializer, Classes classes, ClassLoader loader) throws DeploymentException {
        HandlesTypes handles = initializer.getClass().getAnnotation(HandlesTypes.class);
        if (handles == null || handles.value().length == 0) {
            return null;
        }
        Set<Class<?>> found = classes.index().matching(handles.value(), loader);
        return found.isEmpty() ? null : found;
    }
}
