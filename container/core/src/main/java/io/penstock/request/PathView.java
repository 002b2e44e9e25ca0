package io.penstock.request;

import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.mapping.Match;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.MappingMatch;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The view of the request in one dispatch: the path elements (Servlet 3.6), the query string, the method, and the attributes that describe
 * the origin of the dispatch.
 *
 * @param context the context to which the request was dispatched; the sessions and listeners of this context are used
 * @param contextPath the result of {@code getContextPath}; in an include, and after a dispatch by name, the context path of the request
 *     before the dispatch
 * @param requestUri the undecoded URI of the request, with the context path
 * @param path the path within the context, decoded and normalised
 * @param match the mapping of the path to its servlet; null if none matches
 * @param query the result of {@code getQueryString}
 * @param ownQuery the query string in the path of the dispatch; its parameters come before all other parameters. Null if the path has no
 *     query string
 * @param method the result of {@code getMethod}
 * @param attributes the attributes of this dispatch, such as {@code jakarta.servlet.forward.request_uri}; the application may remove them
 */
public record PathView(
        DispatcherType type,
        WebContext context,
        String contextPath,
        String requestUri,
        String path,
        @Nullable Match<ServletHolder> match,
        @Nullable String query,
        @Nullable String ownQuery,
        String method,
        Map<String, Object> attributes) {

    public String servletPath() {
        return match == null ? path : match.servletPath();
    }

    public @Nullable String pathInfo() {
        return match == null ? null : match.pathInfo();
    }

    /** The servlet to which the path is mapped; null if there is none. */
    public @Nullable ServletHolder servlet() {
        return match == null ? null : match.target();
    }

    /** Whether this dispatch is an include. The target of an include may write to the response, but cannot change its status or fields. */
    public boolean isInclude() {
        return type == DispatcherType.INCLUDE;
    }

    /**
     * The base for relative paths (Servlet 9.1): the path of the running servlet. During an include this is the path of the included
     * servlet.
     */
    String currentPath() {
        Object included = isInclude() ? attributes.get(RequestDispatcher.INCLUDE_SERVLET_PATH) : null;
        Object path = included == null ? servletPath() : included;
        Object info = included == null ? pathInfo() : attributes.get(RequestDispatcher.INCLUDE_PATH_INFO);
        return info == null ? path.toString() : path.toString() + info;
    }

    /** The mapping of the path to its servlet, for {@code getHttpServletMapping}. */
    public HttpServletMapping mapping() {
        if (match == null) {
            return new Mapping("", "", "", null);
        }
        return new Mapping(
                match.matchValue(),
                match.pattern(),
                match.target().name(),
                MappingMatch.valueOf(match.kind().name()));
    }

    private record Mapping(
            String matchValue,
            String pattern,
            String servletName,
            @Nullable MappingMatch match) implements HttpServletMapping {
        @Override
        public String getMatchValue() {
            return matchValue;
        }

        @Override
        public String getPattern() {
            return pattern;
        }

        @Override
        public String getServletName() {
            return servletName;
        }

        @Override
        public @Nullable MappingMatch getMappingMatch() {
            return match;
        }

        @Override
        public String toString() {
            return pattern + " -> " + servletName;
        }
    }
}
