package io.penstock.deploy;

import io.penstock.context.Encodings;
import io.penstock.context.ErrorPages;
import io.penstock.context.SecuritySettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.util.EventListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A context that an embedding program defines. Its servlets, filters and listeners are instances, in the order of registration.
 *
 * @param location the context path, in a form that {@link io.penstock.address.ContextLocation} reads
 * @param sessionMinutes the time in minutes after which a session without requests expires. With 0, sessions do not expire. Null means the
 *     default
 * @param encodings the encodings of the context, which replace the encodings of the server
 * @param files the files that the context serves and reads
 * @param security the security constraints and the login mechanism
 * @param displayName the name of the context for people, or null
 */
public record ContextDefinition(
        String location,
        Map<String, String> initParameters,
        List<EmbeddedServlet> servlets,
        List<EmbeddedFilter> filters,
        List<EventListener> listeners,
        @Nullable Integer sessionMinutes,
        Encodings encodings,
        ErrorPages errorPages,
        List<ServletContainerInitializer> initializers,
        EmbeddedFiles files,
        SecuritySettings security,
        @Nullable String displayName) {

    public ContextDefinition {
        initParameters = Map.copyOf(initParameters);
        servlets = List.copyOf(servlets);
        filters = List.copyOf(filters);
        listeners = List.copyOf(listeners);
        initializers = List.copyOf(initializers);
    }

    /** Makes a context with servlets and filters, and with the server's settings. */
    public static ContextDefinition of(String location, List<EmbeddedServlet> servlets, List<EmbeddedFilter> filters) {
        return new ContextDefinition(
                location,
                Map.of(),
                servlets,
                filters,
                List.of(),
                null,
                Encodings.NONE,
                ErrorPages.NONE,
                List.of(),
                EmbeddedFiles.NONE,
                SecuritySettings.NONE,
                null);
    }

    /** A servlet of an embedding program. The servlet can use asynchronous processing. */
    public record EmbeddedServlet(
            String name,
            Servlet servlet,
            List<String> patterns,
            Map<String, String> initParameters,
            @Nullable MultipartConfigElement multipart) {

        public EmbeddedServlet {
            patterns = List.copyOf(patterns);
            initParameters = Map.copyOf(initParameters);
        }
    }

    /** A filter of an embedding program. If {@code types} is empty, the filter is for {@link DispatcherType#REQUEST}. */
    public record EmbeddedFilter(
            String name,
            Filter filter,
            Set<DispatcherType> types,
            List<String> patterns,
            Map<String, String> initParameters) {

        public EmbeddedFilter {
            types = Set.copyOf(types);
            patterns = List.copyOf(patterns);
            initParameters = Map.copyOf(initParameters);
        }
    }
}
