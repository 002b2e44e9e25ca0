package io.penstock.deploy;

import io.penstock.classfile.ClassMembers;
import io.penstock.context.ContextInitializer;
import io.penstock.limits.OperatorFile;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the {@link ServletContainerInitializer}s of an application. For each initialiser, also finds the classes that it handles (Servlet
 * 8.2.4).
 */
final class Initializers {
    private static final Logger LOG = LoggerFactory.getLogger(Initializers.class);

    private Initializers() {}

    /** Makes the index of the classes that initialisers can handle. It is called only if an initialiser handles classes. */
    @FunctionalInterface
    interface Classes {
        TypeIndex index() throws DeploymentException;
    }

    /**
     * Returns the initialisers, ready to run. Initialisers of the container's {@link Parts} come first, then those of the libraries that all
     * applications share, then those of the application.
     *
     * @param shared the jars of the shared libraries
     * @param excluded the jars that the absolute ordering leaves out. Their initialisers do not run
     * @param exclusions further initialisers that do not run. Their classes are not loaded
     */
    static List<ContextInitializer> of(
            Parts parts,
            List<Path> shared,
            ApplicationFiles files,
            ClassLoader loader,
            Set<Path> excluded,
            Exclusions exclusions,
            Classes classes)
            throws DeploymentException {
        List<ServletContainerInitializer> all = new ArrayList<>(parts.initializers());
        all.removeIf(initializer ->
                exclusions.coversInitializer(initializer.getClass().getName()));
        Set<String> seen = new HashSet<>();
        String service = ServletContainerInitializer.class.getName();
        List<ServiceFile> services = new ArrayList<>(ServiceFile.in(shared, service));
        services.addAll(ServiceFile.of(service, files, excluded));
        for (ServiceFile file : services) {
            for (String name : file.classNames()) {
                if (seen.add(name) && !exclusions.coversInitializer(name)) {
                    all.add(load(name, file.at(), loader));
                }
            }
        }
        List<ContextInitializer> ready = new ArrayList<>();
        for (ServletContainerInitializer initializer : all) {
            Set<Class<?>> wanted = wanted(initializer, classes, loader);
            ready.add(context -> run(initializer, wanted, context));
        }
        return ready;
    }

    private static ServletContainerInitializer load(String name, SourceLocation at, ClassLoader loader)
            throws DeploymentException {
        try {
            return Class.forName(name, true, loader)
                    .asSubclass(ServletContainerInitializer.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Throwable reason = e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
            throw new DeploymentException(
                    at, "initializer " + name + " cannot be loaded: " + reason + InitializerException.cure(name), e);
        }
    }

    private static void run(
            ServletContainerInitializer initializer, @Nullable Set<Class<?>> wanted, ServletContext context)
            throws InitializerException {
        try {
            initializer.onStartup(wanted, context);
        } catch (Exception | LinkageError e) {
            throw new InitializerException(initializer.getClass().getName(), e);
        }
    }

    /**
     * The classes for {@code onStartup}. Null if the initialiser requests no classes, or if no class is found: the specification requires
     * null in these cases.
     */
    private static @Nullable Set<Class<?>> wanted(
            ServletContainerInitializer initializer, Classes classes, ClassLoader loader) throws DeploymentException {
        Class<?>[] types = handled(initializer.getClass(), loader);
        if (types.length == 0) {
            return null;
        }
        Set<Class<?>> found = classes.index().matching(types, loader);
        return found.isEmpty() ? null : found;
    }

    /**
     * The types of {@code @HandlesTypes}. Types that cannot be loaded are left out, because they belong to an optional library that is
     * absent (Servlet 8.2.4).
     */
    private static Class<?>[] handled(Class<?> initializer, ClassLoader loader) throws DeploymentException {
        try {
            HandlesTypes handles = initializer.getAnnotation(HandlesTypes.class);
            return handles == null ? new Class<?>[0] : handles.value();
        } catch (TypeNotPresentException | ArrayStoreException | LinkageError e) {
            LOG.debug("{} has @HandlesTypes with types that cannot be loaded: {}", initializer.getName(), e.toString());
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
            throw new DeploymentException(
                    initializer.getName() + ": its class file cannot be read: " + OperatorFile.explained(e), e);
        }
        return present.toArray(Class<?>[]::new);
    }

    private static Optional<Class<?>> find(String name, ClassLoader loader) {
        try {
            return Optional.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError e) {
            // The type belongs to an optional library that is absent.
            return Optional.empty();
        }
    }
}
