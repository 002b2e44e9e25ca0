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
 * The optional parts of the container, and their contributions to applications. They are loaded at the first use: a server that only serves
 * files needs none. Thread: any.
 */
final class Parts {
    static final Parts NONE = new Parts(List.of());

    private final Supplier<List<ContainerPart>> source;

    /** Written once, under the monitor. */
    private volatile @Nullable List<ContainerPart> known;

    Parts(List<ContainerPart> parts) {
        this(() -> parts);
    }

    private Parts(Supplier<List<ContainerPart>> source) {
        this.source = source;
    }

    /** The parts that the container's class loader finds, always in the same order. */
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

    /** Declares the servlets of the parts. If the name of a part's servlet is in {@code taken}, the servlet is named after its class. */
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

    /** The welcome files of an application that declares none. */
    WelcomeFiles welcomeFiles() {
        List<String> names = new ArrayList<>(WelcomeFiles.defaults().names());
        all().forEach(part -> names.addAll(part.welcomeFiles()));
        return new WelcomeFiles(names);
    }

    /** Kinds of session stores that an operator can choose. */
    List<SessionStoreProvider> sessionStores() {
        return all().stream().flatMap(part -> part.sessionStores().stream()).toList();
    }

    /** Formats of session attributes that an operator can choose. */
    List<AttributeFormat.Provider> attributeFormats() {
        return all().stream().flatMap(part -> part.attributeFormats().stream()).toList();
    }

    /** The converter of archives for {@code javax.servlet}; empty if no part has a converter. */
    Optional<JavaxMigration> migration() {
        return all().stream().flatMap(part -> part.migration().stream()).findFirst();
    }

    /** Whether applications get the class from a part even if they contain a class of the same name. */
    boolean isShared(String className) {
        return all().stream().anyMatch(part -> isOneOf(part.shared(), className));
    }

    /** The loader of the class if a part exports it to applications, else null. */
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
