package io.penstock.part;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;
import java.util.Optional;

/**
 * An optional part of the container, a JSP engine for instance. The container finds it as a service
 * ({@code META-INF/services/io.penstock.part.ContainerPart}) beside itself, on the class path or the module path, and from then on
 * every web application has what the part adds.
 *
 * <p>Applications see nothing of a part but the Jakarta API packages that it brings, the providers of services of these packages, and
 * what {@link #shared} and {@link #offered} name.
 *
 * <p>Thread: those that deploy, several at once.
 */
public interface ContainerPart {

    /** Servlets that every application has. */
    default List<ImplicitServlet> servlets() {
        return List.of();
    }

    /** Run as each application starts, before its own; the same instances for all applications. */
    default List<ServletContainerInitializer> initializers() {
        return List.of();
    }

    /** Names that follow {@code index.html} in the list of welcome files of an application that declares none. */
    default List<String> welcomeFiles() {
        return List.of();
    }

    /**
     * Classes that the part and code of applications must have in common: applications get the part's, even if they bring some of
     * the same name. A name that ends with a dot stands for a package and all below it.
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

    /** Converts archives of the former API, if this part does. */
    default Optional<JavaxMigration> migration() {
        return Optional.empty();
    }

    /**
     * A servlet of the part's, one instance an application.
     *
     * @param name by which {@code <jsp-file>} and named dispatchers find it; an application's servlet of that name takes the name
     *     over
     * @param type with a constructor without parameters
     * @param patterns mapped to it unless the application maps something else to them
     */
    record ImplicitServlet(String name, Class<? extends Servlet> type, List<String> patterns) {
        public ImplicitServlet {
            patterns = List.copyOf(patterns);
        }
    }
}
