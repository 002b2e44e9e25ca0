package io.penstock.deploy;

import io.penstock.context.WebContext;
import io.penstock.context.WelcomeFiles;
import io.penstock.part.AttributeFormat;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The optional parts of the container ({@link ContainerPart}), for example a JSP engine, and their contributions to applications. The parts
 * are loaded at their first use, because a server that only serves files needs no parts. Thread: any.
 */
final class Parts {
    static final Parts NONE = new Parts(List.of());

    private final Supplier<List<ContainerPart>> source;

    /** The parts, or null before the first use. Written once, under the monitor of this object. */
    private volatile @Nullable List<ContainerPart> known;

    Parts(List<ContainerPart> parts) {
        this(() -> parts);
    }

    private Parts(Supplier<List<ContainerPart>> source) {
        this.source = source;
    }

    /** The parts that the container's class loader finds, sorted by class name. */
    static Parts found() {
        return new Parts(() -> ServiceLoader.load(ContainerPart.class, ContainerPart.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(part -> part.getClass().getName()))
                .toList());
    }

    private List<ContainerPart> all() {
        List<ContainerPart> all = known;
        return all == null ? find() : all;
    }

    private synchronized List<ContainerPart> find() {
        List<ContainerPart> all = known;
        if (all == null) {
            all = List.copyOf(source.get());
            known = all;
        }
        return all;
    }

    List<ServletContainerInitializer> initializers() {
        return all().stream().flatMap(part -> part.initializers().stream()).toList();
    }

    /** Declares the servlets of the parts. If the name of a servlet is in {@code taken}, the servlet gets the name of its class. */
    void declare(WebContext context, Set<String> taken) {
        for (ContainerPart part : all()) {
            for (ContainerPart.ImplicitServlet servlet : part.servlets()) {
                String name = taken.contains(servlet.name()) ? servlet.type().getName() : servlet.name();
                context.servlets()
                        .declareImplicit(name, servlet.type(), servlet.patterns())
                        .asyncSupported(true);
            }
        }
    }

    /** The welcome files of an application that declares no welcome files. */
    WelcomeFiles welcomeFiles() {
        List<String> names = new ArrayList<>(WelcomeFiles.defaults().names());
        all().forEach(part -> names.addAll(part.welcomeFiles()));
        return new WelcomeFiles(names);
    }

    /** The kinds of session stores that an operator can choose. */
    List<SessionStoreProvider> sessionStores() {
        return all().stream().flatMap(part -> part.sessionStores().stream()).toList();
    }

    /** The formats of session attributes that an operator can choose. */
    List<AttributeFormat.Provider> attributeFormats() {
        return all().stream().flatMap(part -> part.attributeFormats().stream()).toList();
    }

    /** The converter for archives that use {@code javax.servlet}. Empty if no part has a converter. */
    Optional<JavaxMigration> migration() {
        return all().stream().flatMap(part -> part.migration().stream()).findFirst();
    }

    /** Whether an application uses the class of a part even if the application contains a class of the same name. */
    boolean isShared(String className) {
        return all().stream().anyMatch(part -> isOneOf(part.shared(), className));
    }

    /** The class loader of the part that exports the class to applications, or null if no part exports the class. */
    @Nullable
    ClassLoader loaderOf(String className) {
        for (ContainerPart part : all()) {
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
