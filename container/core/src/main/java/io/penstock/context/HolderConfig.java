package io.penstock.context;

import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The configuration that {@code init} of a servlet or a filter gets. */
record HolderConfig(String name, ServletContext context, Map<String, String> parameters)
        implements ServletConfig, FilterConfig {

    @Override
    public String getServletName() {
        return name;
    }

    @Override
    public String getFilterName() {
        return name;
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        return name == null ? null : parameters.get(name);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(parameters.keySet());
    }
}
