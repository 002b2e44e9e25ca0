package io.penstock.part;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;
import java.util.Optional;

/**
 * An optional part of the container, for example a JSP engine. The container finds a part as a service ({@code
 * META-INF/services/io.penstock.part.ContainerPart}) on its class path or module path. Every web application then has the part's
 * contributions.
 *
 * <p>Applications can load these classes of a part: the Jakarta API packages that the part contains, the service providers for these
 * packages, and the classes that {@link #shared} and {@link #offered} name.
 *
 * <p>Thread: the deploying threads, several at once.
 */
public interface ContainerPart {

    /** Servlets that are added to every application. */
    default List<ImplicitServlet> servlets() {
        return List.of();
    }

    /**
     * Initialisers that run at the start of each application, before the application's own initialisers. All applications share the
     * instances.
     */
    default List<ServletContainerInitializer> initializers() {
        return List.of();
    }

    /** Names of welcome files. If an application declares no welcome files, these names are used after {@code index.html}. */
    default List<String> welcomeFiles() {
        return List.of();
    }

    /**
     * Names of classes that the part and the applications must share. Applications get the part's classes, even if the applications contain
     * classes with the same names. A name that ends with a dot stands for a package and all packages below it.
     */
    default List<String> shared() {
        return List.of();
    }

    /**
     * Names of classes that are offered to the applications. An application that contains a class of the same name uses its own class. The
     * names have the form of {@link #shared}.
     */
    default List<String> offered() {
        return List.of();
    }

    /** Kinds of session stores that the operator can choose with {@code session-store}. */
    default List<SessionStoreProvider> sessionStores() {
        return List.of();
    }

    /** Formats of session attributes that the operator can choose with {@code session-format}. */
    default List<AttributeFormat.Provider> attributeFormats() {
        return List.of();
    }

    /** The converter for archives that use {@code javax.servlet}, the former API; empty if this part has no converter. */
    default Optional<JavaxMigration> migration() {
        return Optional.empty();
    }

    /**
     * A servlet of the part, with one instance in each application.
     *
     * @param name the name for {@code <jsp-file>} and named dispatchers. A servlet of the application with the same name takes precedence
     * @param type a class with a constructor without parameters
     * @param patterns the URL patterns that are mapped to the servlet, except patterns that the application maps itself
     */
    record ImplicitServlet(String name, Class<? extends Servlet> type, List<String> patterns) {
        public ImplicitServlet {
            patterns = List.copyOf(patterns);
        }
    }
}
