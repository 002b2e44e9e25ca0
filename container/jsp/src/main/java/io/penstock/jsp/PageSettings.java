package io.penstock.jsp;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that the JSP engine gets: the init parameters of the servlet, and the context parameters whose names begin with {@code
 * penstock.jsp.}. Init parameters take precedence. With context parameters, an application can configure the engine without a declaration
 * of the JSP servlet. Thread: any.
 */
final class PageSettings implements ServletConfig {
    static final String PREFIX = "penstock.jsp.";

    /** The init parameter with the path of a {@code <jsp-file>}. */
    static final String JSP_FILE = "jspFile";

    private static final String SHOW_ERRORS = "show-errors";

    private final ServletConfig config;

    PageSettings(ServletConfig config) {
        this.config = config;
    }

    /** Whether responses to clients contain the errors of a page and lines of its source. */
    boolean showsErrors() {
        return Boolean.parseBoolean(getInitParameter(SHOW_ERRORS));
    }

    @Override
    public String getServletName() {
        return config.getServletName();
    }

    @Override
    public ServletContext getServletContext() {
        return config.getServletContext();
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        String own = config.getInitParameter(name);
        return own != null ? own : config.getServletContext().getInitParameter(PREFIX + name);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        Set<String> names = new LinkedHashSet<>(Collections.list(config.getInitParameterNames()));
        for (String name : Collections.list(config.getServletContext().getInitParameterNames())) {
            if (name.startsWith(PREFIX)) {
                names.add(name.substring(PREFIX.length()));
            }
        }
        return Collections.enumeration(names);
    }
}
