package io.penstock.deploy;

import io.penstock.context.WebContext;
import io.penstock.context.WelcomeFiles;
import io.penstock.part.ContainerPart;
import io.penstock.part.JavaxMigration;
import io.penstock.part.SessionStoreProvider;
import jakarta.servlet.ServletContainerInitializer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The optional parts of the container, and their contributions to applications. Immutable. Thread: any. */
final class Parts {
    static final Parts NONE = new Parts(List.of());

    private final List<ContainerPart> parts;

    Parts(List<ContainerPart> parts) {
        this.parts = List.copyOf(parts);
    }

    /** The parts that the container's class loader finds, always in the same order. */
    static Parts found() {
        return new Parts(ServiceLoader.load(ContainerPart.class, ContainerPart.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(part -> part.getClass().getName()))
                .toList());
    }

    List<ServletContainerInitializer> initializers() {
        return parts.stream().flatMap(part -> part.initializers().stream()).toList();
    }

    /** Declares the servlets of the parts; the names in {@code taken} are the application's. */
    void declare(WebContext context, Set<String> taken) {
        for (ContainerPart part : parts) {
            for (ContainerPart.ImplicitServlet servlet : part.servlets()) {
                String name = taken.contains(servlet.name()) ? servlet.type().getName() : servlet.name();
                context.servlets()
                        .declareImplicit(name, servlet.type(), servlet.patterns())
                        .asyncSupported(true);
            }
        }
    }

    /** The welcome files of an application that declares none. */
    WelcomeFiles welcomeFiles() {
        List<String> names = new ArrayList<>(WelcomeFiles.defaults().names());
        parts.forEach(part -> names.addAll(part.welcomeFiles()));
        return new WelcomeFiles(names);
    }

    /** Kinds of session stores that an operator can choose. */
    List<SessionStoreProvider> sessionStores() {
        return parts.stream().flatMap(part -> part.sessionStores().stream()).toList();
    }

    /** Converts archives of the former API; empty if no part does. */
    Optional<JavaxMigration> migration() {
        return parts.stream().flatMap(part -> part.migration().stream()).findFirst();
    }

    /** Whether applications get the class from a part, even if they bring a class of that name. */
    boolean isShared(String className) {
        return parts.stream().anyMatch(part -> isOneOf(part.shared(), className));
    }

    /** The loader of the class if a part exports it to applications, else null. */
    @Nullable
    ClassLoader loaderOf(String className) {
        for (ContainerPart part : parts) {
            if (isOneOf(part.shared(), className) || isOneOf(part.offered(), className)) {
                return part.getClass().getClassLoader();
            }
        }
        return null;
    }

    private static boolean isOneOf(List<String> names, String className) {
        for (String name : names) {
            if (name.endsWith(".") ? className.startsWith(name) : className.equals(name)) {
                return true;
            }
        }
        return false;
    }
}
