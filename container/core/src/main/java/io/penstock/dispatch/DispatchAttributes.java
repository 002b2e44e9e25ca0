package io.penstock.dispatch;

import io.penstock.request.HttpRequest;
import io.penstock.request.PathView;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of the attributes that describe the origin of a dispatch, or the target of an include (Servlet 9.3 to 9.7). */
enum DispatchAttributes {
    FORWARD(
            RequestDispatcher.FORWARD_REQUEST_URI,
            RequestDispatcher.FORWARD_CONTEXT_PATH,
            RequestDispatcher.FORWARD_SERVLET_PATH,
            RequestDispatcher.FORWARD_PATH_INFO,
            RequestDispatcher.FORWARD_QUERY_STRING,
            RequestDispatcher.FORWARD_MAPPING),
    INCLUDE(
            RequestDispatcher.INCLUDE_REQUEST_URI,
            RequestDispatcher.INCLUDE_CONTEXT_PATH,
            RequestDispatcher.INCLUDE_SERVLET_PATH,
            RequestDispatcher.INCLUDE_PATH_INFO,
            RequestDispatcher.INCLUDE_QUERY_STRING,
            RequestDispatcher.INCLUDE_MAPPING),
    ASYNC(
            AsyncContext.ASYNC_REQUEST_URI,
            AsyncContext.ASYNC_CONTEXT_PATH,
            AsyncContext.ASYNC_SERVLET_PATH,
            AsyncContext.ASYNC_PATH_INFO,
            AsyncContext.ASYNC_QUERY_STRING,
            AsyncContext.ASYNC_MAPPING);

    private final String requestUri;
    private final String contextPath;
    private final String servletPath;
    private final String pathInfo;
    private final String queryString;
    private final String mapping;

    DispatchAttributes(
            String requestUri,
            String contextPath,
            String servletPath,
            String pathInfo,
            String queryString,
            String mapping) {
        this.requestUri = requestUri;
        this.contextPath = contextPath;
        this.servletPath = servletPath;
        this.pathInfo = pathInfo;
        this.queryString = queryString;
        this.mapping = mapping;
    }

    /** The path elements of {@code request}, as attributes. */
    Map<String, Object> of(HttpRequest request) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(requestUri, request.getRequestURI());
        attributes.put(contextPath, request.getContextPath());
        attributes.put(servletPath, request.getServletPath());
        putIfPresent(attributes, pathInfo, request.getPathInfo());
        putIfPresent(attributes, queryString, request.getQueryString());
        attributes.put(mapping, request.getHttpServletMapping());
        return attributes;
    }

    /** The path elements of {@code target}, as attributes. */
    Map<String, Object> of(Target target, PathView view) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(requestUri, target.requestUri());
        attributes.put(contextPath, target.context().getContextPath());
        attributes.put(servletPath, view.servletPath());
        putIfPresent(attributes, pathInfo, view.pathInfo());
        putIfPresent(attributes, queryString, target.query());
        attributes.put(mapping, view.mapping());
        return attributes;
    }

    boolean areIn(Map<String, Object> attributes) {
        return attributes.containsKey(requestUri);
    }

    void removeFrom(Map<String, Object> attributes) {
        attributes.keySet().removeAll(names());
    }

    private Set<String> names() {
        return Set.of(requestUri, contextPath, servletPath, pathInfo, queryString, mapping);
    }

    private static void putIfPresent(Map<String, Object> attributes, String name, @Nullable Object value) {
        if (value != null) {
            attributes.put(name, value);
        }
    }
}
