package io.penstock.part;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;
import java.util.Optional;

/**
 * An optional part of the container, for example a JSP engine. The container finds it as a service ({@code
 * META-INF/services/io.penstock.part.ContainerPart}) on its class path or module path. Every web application then has the part's
 * contributions.
 *
 * <p>Applications can load these classes of a part: the Jakarta API packages that it brings, the providers of services of these packages,
 * and the classes that {@link #shared} and {@link #offered} name.
 *
 * <p>Thread: the deploying threads, several at once.
 */
public interface ContainerPart {

    /** Servlets that every application has. */
    default List<ImplicitServlet> servlets() {
        return List.of();
    }

    /** Initialisers that run at the start of each application, before its own. All applications share the instances. */
    default List<ServletContainerInitializer> initializers() {
        return List.of();
    }

    /** Names of welcome files. They follow {@code index.html} in an application that declares none. */
    default List<String> welcomeFiles() {
        return List.of();
    }

    /**
     * Classes that the part and applications must share. Applications get the part's classes, even if they bring classes of the same name.
     * A name that ends with a dot stands for a package and all packages below it.
     */
    default List<String> shared() {
        return List.of();
    }

    /** Classes for applications that do not bring their own, written as in {@link #shared}. */
    default List<String> offered() {
        return List.of();
    }

    /** Kinds of session stores that an operator can choose by {@code session-store}. */
    default List<SessionStoreProvider> sessionStores() {
        return List.of();
    }

    /** Formats of session attributes that an operator can choose by {@code session-format}. */
    default List<AttributeFormat.Provider> attributeFormats() {
        return List.of();
    }

    /** Converts archives of the former API; empty if this part does not. */
    default Optional<JavaxMigration> migration() {
        return Optional.empty();
    }

    /**
     * A servlet of the part, with one instance in each application.
     *
     * @param name for {@code <jsp-file>} and named dispatchers; a servlet of the application with that name takes precedence
     * @param type a class with a constructor without parameters
     * @param patterns mapped to it unless the application maps something else to them
     */
    record ImplicitServlet(String name, Class<? extends Servlet> type, List<String> patterns) {
        public ImplicitServlet {
            patterns = List.copyOf(patterns);
        }
    }
}
