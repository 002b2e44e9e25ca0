package io.penstock.deploy;

import io.penstock.context.FilterHolder;
import io.penstock.context.Filters;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.ServletSecurity;
import java.lang.reflect.Modifier;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Declares the servlets, filters and listeners of a merged descriptor in a context. Classes are loaded, but not initialised. So a misspelt
 * class name is found during the deployment.
 */
final class WebXmlRegistrations {
    private final WebXml xml;
    private final WebContext context;
    private final ClassLoader loader;
    private final AnnotationScope scope;

    /** @param scope decides whether the annotations of a class are used */
    private WebXmlRegistrations(WebXml xml, WebContext context, ClassLoader loader, AnnotationScope scope) {
        this.xml = xml;
        this.context = context;
        this.loader = loader;
        this.scope = scope;
    }

    static void apply(WebXml xml, WebContext context, ClassLoader loader, AnnotationScope scope)
            throws DeploymentException {
        WebXmlRegistrations registrations = new WebXmlRegistrations(xml, context, loader, scope);
        for (WebXml.ListenerDeclaration listener : xml.listeners()) {
            registrations.declare(listener);
        }
        for (WebXml.ServletDeclaration servlet : xml.servlets()) {
            if (servlet.jspFile() == null) {
                registrations.declare(servlet);
            }
        }
        for (WebXml.ServletDeclaration servlet : xml.servlets()) {
            // The servlet of the JSP engine must be declared before servlets with a jsp-file.
            if (servlet.jspFile() != null) {
                registrations.declare(servlet);
            }
        }
        registrations.mapServlets();
        for (WebXml.FilterDeclaration filter : xml.filters()) {
            registrations.declare(filter);
        }
        for (WebXml.FilterMapping mapping : xml.filterMappings()) {
            registrations.map(mapping);
        }
    }

    private void declare(WebXml.ListenerDeclaration listener) throws DeploymentException {
        Class<? extends EventListener> type =
                load(listener.className(), EventListener.class, "listener", listener.at());
        try {
            context.listeners().declare(type);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(
                    listener.at(), "listener class " + listener.className() + " is not a Servlet listener", e);
        }
    }

    private void declare(WebXml.ServletDeclaration servlet) throws DeploymentException {
        ServletHolder holder = holder(servlet);
        if (holder == null) {
            throw new DeploymentException(servlet.at(), "servlet '" + servlet.name() + "' is declared twice");
        }
        for (WebXml.Parameter parameter : servlet.parameters()) {
            if (!holder.initParameter(parameter.name(), parameter.value()) && servlet.jspFile() == null) {
                throw new DeploymentException(
                        parameter.at(),
                        "servlet '" + servlet.name() + "' has the init parameter '" + parameter.name() + "' twice");
            }
        }
        if (servlet.loadOnStartup() != null) {
            holder.loadOnStartup(servlet.loadOnStartup());
        }
        holder.enabled(!Boolean.FALSE.equals(servlet.enabled()));
        holder.asyncSupported(Boolean.TRUE.equals(servlet.asyncSupported()));
        holder.runAs(servlet.runAs());
        servlet.roleReferences()
                .forEach(role -> holder.roleRef(role.name(), role.link() == null ? role.name() : role.link()));
        WebXml.Multipart multipart = servlet.multipart();
        if (multipart != null) {
            holder.multipart(new MultipartConfigElement(
                    multipart.location(),
                    multipart.maxFileSize(),
                    multipart.maxRequestSize(),
                    multipart.fileSizeThreshold()));
        }
    }

    /**
     * Registers a servlet. A servlet without a class is preliminary: code of the application must complete the registration (Servlet
     * 4.4.1). Returns null if the name is already registered.
     */
    private @Nullable ServletHolder holder(WebXml.ServletDeclaration servlet) throws DeploymentException {
        if (servlet.jspFile() != null) {
            return jsp(servlet, servlet.jspFile());
        }
        if (servlet.className() == null) {
            return context.servlets().find(servlet.name()) == null
                    ? context.servlets().declarePreliminary(servlet.name())
                    : null;
        }
        Class<? extends Servlet> type = load(servlet.className(), Servlet.class, "servlet", servlet.at());
        ServletHolder holder = context.servlets().declare(servlet.name(), type);
        if (holder != null && scope.covers(type)) {
            annotate(holder, type, servlet.at());
        }
        return holder;
    }

    /**
     * Applies the annotations of a servlet's class. This includes classes in jars that {@code absolute-ordering} leaves out (Servlet
     * 8.2.2). Declarations of the descriptor override the annotations later.
     */
    private static void annotate(ServletHolder holder, Class<? extends Servlet> type, SourceLocation at)
            throws DeploymentException {
        ServletSecurity security = type.getAnnotation(ServletSecurity.class);
        if (security != null) {
            try {
                holder.security(new ServletSecurityElement(security));
            } catch (IllegalArgumentException e) {
                throw new DeploymentException(
                        at, "servlet class " + type.getName() + ": @ServletSecurity: " + e.getMessage(), e);
            }
        }
        MultipartConfig multipart = type.getAnnotation(MultipartConfig.class);
        if (multipart != null) {
            holder.multipart(new MultipartConfigElement(multipart));
        }
    }

    private @Nullable ServletHolder jsp(WebXml.ServletDeclaration servlet, String file) throws DeploymentException {
        try {
            return context.addJspFile(servlet.name(), file) == null
                    ? null
                    : context.servlets().find(servlet.name());
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(servlet.at(), "servlet '" + servlet.name() + "': " + e.getMessage(), e);
        }
    }

    private void mapServlets() throws DeploymentException {
        Map<String, WebXml.ServletMapping> mapped = new HashMap<>();
        for (WebXml.ServletMapping mapping : xml.servletMappings()) {
            ServletHolder holder = context.servlets().find(mapping.servletName());
            if (holder == null) {
                throw new DeploymentException(
                        mapping.at(), "mapping of a servlet that is not declared: '" + mapping.servletName() + "'");
            }
            Set<String> taken = context.servlets().map(holder, mapping.patterns());
            if (!taken.isEmpty()) {
                String pattern = taken.iterator().next();
                throw duplicate(mapping, pattern, mapped.get(pattern));
            }
            mapping.patterns().forEach(pattern -> mapped.putIfAbsent(pattern, mapping));
        }
    }

    private static DeploymentException duplicate(
            WebXml.ServletMapping mapping, String pattern, WebXml.@Nullable ServletMapping earlier) {
        String other = earlier == null ? "another servlet" : "'" + earlier.servletName() + "' (" + earlier.at() + ")";
        return new DeploymentException(
                mapping.at(),
                "URL pattern '" + pattern + "' of the servlet '" + mapping.servletName() + "' is already mapped to "
                        + other);
    }

    private void declare(WebXml.FilterDeclaration filter) throws DeploymentException {
        if (filter.className() == null) {
            throw new DeploymentException(filter.at(), "filter '" + filter.name() + "' has no <filter-class>");
        }
        FilterHolder holder =
                context.filters().declare(filter.name(), load(filter.className(), Filter.class, "filter", filter.at()));
        if (holder == null) {
            throw new DeploymentException(filter.at(), "filter '" + filter.name() + "' is declared twice");
        }
        for (WebXml.Parameter parameter : filter.parameters()) {
            if (!holder.initParameter(parameter.name(), parameter.value())) {
                throw new DeploymentException(
                        parameter.at(),
                        "filter '" + filter.name() + "' has the init parameter '" + parameter.name() + "' twice");
            }
        }
        holder.asyncSupported(Boolean.TRUE.equals(filter.asyncSupported()));
    }

    private void map(WebXml.FilterMapping mapping) throws DeploymentException {
        FilterHolder holder = context.filters().find(mapping.filterName());
        if (holder == null) {
            throw new DeploymentException(
                    mapping.at(), "mapping of a filter that is not declared: '" + mapping.filterName() + "'");
        }
        Set<DispatcherType> types = EnumSet.noneOf(DispatcherType.class);
        mapping.dispatchers().forEach(dispatcher -> types.add(DispatcherType.valueOf(dispatcher.name())));
        List<String> servlets = mapping.servletNames();
        if (!mapping.patterns().isEmpty()) {
            context.filters().mapUrlPatterns(holder, types, Filters.Position.DECLARED, mapping.patterns());
        }
        if (!servlets.isEmpty()) {
            context.filters().mapServletNames(holder, types, Filters.Position.DECLARED, servlets);
        }
    }

    private <T> Class<? extends T> load(String className, Class<T> wanted, String what, SourceLocation at)
            throws DeploymentException {
        Class<?> type;
        try {
            type = Class.forName(className, false, loader);
        } catch (ClassNotFoundException e) {
            throw new DeploymentException(at, what + " class " + className + " is not in the application", e);
        } catch (LinkageError e) {
            throw new DeploymentException(at, what + " class " + className + " cannot be loaded: " + e, e);
        }
        if (!wanted.isAssignableFrom(type)) {
            throw new DeploymentException(at, what + " class " + className + " does not implement " + wanted.getName());
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new DeploymentException(at, what + " class " + className + " is abstract");
        }
        return type.asSubclass(wanted);
    }
}
