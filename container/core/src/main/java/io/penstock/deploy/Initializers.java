package io.penstock.deploy;

import io.penstock.classfile.ClassMembers;
import io.penstock.context.ContextInitializer;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.annotation.HandlesTypes;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the {@link ServletContainerInitializer}s of an application, and the classes that each wants to see (Servlet 8.2.4). */
final class Initializers {
    private static final Logger LOG = LoggerFactory.getLogger(Initializers.class);

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
     * @param exclusions initialisers that do not count either
     */
    static List<ContextInitializer> of(
            Parts parts, ClassLoader loader, Set<Path> excluded, Exclusions exclusions, Classes classes)
            throws DeploymentException {
        List<ServletContainerInitializer> all = new ArrayList<>(parts.initializers());
        all.addAll(find(loader, excluded));
        all.removeIf(initializer -> exclusions.coversInitializer(initializer.getClass()));
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
                && excluded.stream().map(ApplicationFiles::location).anyMatch(location.toString()::equals);
    }

    /** The classes for {@code onStartup}: null where none is asked for or none is found, as the specification wants it. */
    private static @Nullable Set<Class<?>> wanted(
            ServletContainerInitializer initializer, Classes classes, ClassLoader loader) throws DeploymentException {
        Class<?>[] types = handled(initializer.getClass(), loader);
        if (types.length == 0) {
            return null;
        }
        Set<Class<?>> found = classes.index().matching(types, loader);
        return found.isEmpty() ? null : found;
    }

    /** A type of an optional library that is not there has no classes either (Servlet 8.2.4). */
    private static Class<?>[] handled(Class<?> initializer, ClassLoader loader) throws DeploymentException {
        try {
            HandlesTypes handles = initializer.getAnnotation(HandlesTypes.class);
            return handles == null ? new Class<?>[0] : handles.value();
        } catch (TypeNotPresentException | ArrayStoreException | LinkageError e) {
            LOG.debug("{} asks for types that are not there: {}", initializer.getName(), e.toString());
            return present(initializer, loader);
        }
    }

    private static Class<?>[] present(Class<?> initializer, ClassLoader loader) throws DeploymentException {
        List<Class<?>> present = new ArrayList<>();
        try {
            Map<String, Map<String, Object>> annotations = ClassMembers.of(
                            initializer, HandlesTypes.class.getName()::equals)
                    .annotations();
            if (annotations.getOrDefault(HandlesTypes.class.getName(), Map.of()).get("value")
                    instanceof List<?> names) {
                for (Object name : names) {
                    find(String.valueOf(name), loader).ifPresent(present::add);
                }
            }
        } catch (IOException e) {
            throw new DeploymentException(initializer.getName() + ": its class file cannot be read: " + e, e);
        }
        return present.toArray(Class<?>[]::new);
    }

    private static Optional<Class<?>> find(String name, ClassLoader loader) {
        try {
            return Optional.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty(); // an optional library's
        }
    }
}
