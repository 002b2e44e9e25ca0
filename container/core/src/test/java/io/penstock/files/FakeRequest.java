package io.penstock.files;

import io.penstock.http.FieldList;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A request for a path. The request supports only the methods that the default servlet calls. */
final class FakeRequest extends HttpServletRequestWrapper {
    final List<String> dispatched = new ArrayList<>();
    private final FieldList fields = new FieldList();
    private final Map<String, Object> attributes = new HashMap<>();
    private final String method;
    private final String path;
    private DispatcherType type = DispatcherType.REQUEST;
    private String uri;
    private String query;
    private String contextPath = "/app";

    FakeRequest(String method, String path) {
        super(Unsupported.of(HttpServletRequest.class));
        this.method = method;
        this.path = path;
        uri = contextPath + path;
    }

    FakeRequest with(String name, String value) {
        fields.add(name, value);
        return this;
    }

    FakeRequest as(DispatcherType dispatcherType) {
        type = dispatcherType;
        return this;
    }

    FakeRequest uri(String rawUri) {
        uri = rawUri;
        return this;
    }

    FakeRequest query(String rawQuery) {
        query = rawQuery;
        return this;
    }

    FakeRequest contextPath(String rawContextPath) {
        contextPath = rawContextPath;
        return this;
    }

    FakeRequest including(String includedPath) {
        type = DispatcherType.INCLUDE;
        attributes.put(RequestDispatcher.INCLUDE_SERVLET_PATH, includedPath);
        return this;
    }

    @Override
    public String getMethod() {
        return method;
    }

    @Override
    public DispatcherType getDispatcherType() {
        return type;
    }

    @Override
    public String getRequestURI() {
        return uri;
    }

    @Override
    public String getContextPath() {
        return contextPath;
    }

    @Override
    public String getServletPath() {
        return path;
    }

    @Override
    public String getPathInfo() {
        return null;
    }

    @Override
    public String getQueryString() {
        return query;
    }

    @Override
    public Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public void setAttribute(String name, Object value) {
        attributes.put(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        attributes.remove(name);
    }

    @Override
    public String getHeader(String name) {
        return fields.first(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(fields.all(name));
    }

    @Override
    public RequestDispatcher getRequestDispatcher(String target) {
        return new RequestDispatcher() {
            @Override
            public void forward(ServletRequest request, ServletResponse response) {
                dispatched.add("forward " + target);
            }

            @Override
            public void include(ServletRequest request, ServletResponse response) {
                dispatched.add("include " + target);
            }
        };
    }
}
