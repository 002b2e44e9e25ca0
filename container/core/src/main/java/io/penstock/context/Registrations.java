package io.penstock.context;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import java.util.Collections;
import java.util.EventListener;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers servlets, filters and listeners for the methods of {@code ServletContext} (Servlet 6.1, section 4.4). Thread: any. */
final class Registrations {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);
    private static final String JSP_SERVLET = "jsp";
    private static final String JSP_FILE = "jspFile";

    private final ContextSettings settings;
    private final RegistrationWindow window;
    private final Servlets servlets;
    private final Filters filters;
    private final Listeners listeners;
    private final Roles roles;
    private final ObjectFactory objects;

    /** The servlets that {@code createServlet} has created. The annotations of a servlet are applied when the servlet is added. */
    private final Set<Servlet> created =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    Registrations(
            ContextSettings settings,
            RegistrationWindow window,
            Servlets servlets,
            Filters filters,
            Listeners listeners,
            Roles roles,
            ObjectFactory objects) {
        this.settings = settings;
        this.window = window;
        this.servlets = servlets;
        this.filters = filters;
        this.listeners = listeners;
        this.roles = roles;
        this.objects = objects;
    }

    ServletRegistration.@Nullable Dynamic addServlet(@Nullable String name, @Nullable String className) {
        window.requireOpen();
        String wanted = Arguments.requiredName(className, "class name");
        ServletHolder holder = servlets.declare(Arguments.requiredName(name, "servlet name"), wanted);
        if (holder != null) {
            try {
                Class<?> type = Class.forName(wanted, false, settings.classLoader());
                ServletAnnotations.apply(type, holder, roles);
            } catch (ClassNotFoundException | LinkageError e) {
                LOG.warn("{} of {}: class {} cannot be loaded: {}", holder, settings.location(), wanted, e.toString());
            }
        }
        return dynamic(holder);
    }

    ServletRegistration.@Nullable Dynamic addServlet(@Nullable String name, @Nullable Class<? extends Servlet> type) {
        window.requireOpen();
        Class<? extends Servlet> wanted = Arguments.required(type, "class");
        ServletHolder holder = servlets.declare(Arguments.requiredName(name, "servlet name"), wanted);
        if (holder != null) {
            ServletAnnotations.apply(wanted, holder, roles);
        }
        return dynamic(holder);
    }

    ServletRegistration.@Nullable Dynamic addServlet(@Nullable String name, @Nullable Servlet servlet) {
        window.requireOpen();
        Servlet given = Arguments.required(servlet, "servlet");
        ServletHolder holder = servlets.declare(Arguments.requiredName(name, "servlet name"), given);
        if (holder != null && created.remove(given)) {
            ServletAnnotations.apply(given.getClass(), holder, roles);
        }
        return dynamic(holder);
    }

    ServletRegistration.@Nullable Dynamic addJspFile(@Nullable String name, @Nullable String jspFile) {
        window.requireOpen();
        String checked = Arguments.requiredName(name, "servlet name");
        if (jspFile == null || !jspFile.startsWith("/")) {
            throw new IllegalArgumentException("JSP file must start with /: " + jspFile);
        }
        ServletHolder engine = servlets.find(JSP_SERVLET);
        Source<Servlet> code = engine == null ? null : engine.source();
        ServletHolder holder = code == null
                ? servlets.declare(checked, new JspUnavailable())
                : servlets.declare(checked, code.forAnother());
        if (holder != null) {
            if (engine != null) {
                holder.initParameters(engine.initParameters());
            }
            holder.initParameter(JSP_FILE, jspFile);
        }
        return dynamic(holder);
    }

    private ServletRegistration.@Nullable Dynamic dynamic(@Nullable ServletHolder holder) {
        return holder == null ? null : new DynamicServletRegistration(holder, servlets, settings.security());
    }

    @Nullable
    ServletRegistration servlet(@Nullable String name) {
        return name == null ? null : dynamic(servlets.find(name));
    }

    /**
     * The servlets of the application. Frameworks load the classes of all servlets in this map, and an application cannot load the
     * container's classes. Therefore, the map does not contain the container's own servlets.
     */
    Map<String, ServletRegistration> servlets() {
        Map<String, ServletRegistration> all = new LinkedHashMap<>();
        for (ServletHolder holder : servlets.declared()) {
            all.put(holder.name(), new DynamicServletRegistration(holder, servlets, settings.security()));
        }
        return all;
    }

    FilterRegistration.@Nullable Dynamic addFilter(@Nullable String name, @Nullable String className) {
        window.requireOpen();
        String wanted = Arguments.requiredName(className, "class name");
        return dynamic(filters.declare(Arguments.requiredName(name, "filter name"), wanted));
    }

    FilterRegistration.@Nullable Dynamic addFilter(@Nullable String name, @Nullable Class<? extends Filter> type) {
        window.requireOpen();
        Class<? extends Filter> wanted = Arguments.required(type, "class");
        return dynamic(filters.declare(Arguments.requiredName(name, "filter name"), wanted));
    }

    FilterRegistration.@Nullable Dynamic addFilter(@Nullable String name, @Nullable Filter filter) {
        window.requireOpen();
        Filter given = Arguments.required(filter, "filter");
        return dynamic(filters.declare(Arguments.requiredName(name, "filter name"), given));
    }

    private FilterRegistration.@Nullable Dynamic dynamic(@Nullable FilterHolder holder) {
        return holder == null ? null : new DynamicFilterRegistration(holder, filters);
    }

    @Nullable
    FilterRegistration filter(@Nullable String name) {
        return name == null ? null : dynamic(filters.find(name));
    }

    Map<String, FilterRegistration> filters() {
        Map<String, FilterRegistration> all = new LinkedHashMap<>();
        for (FilterHolder holder : filters.all()) {
            all.put(holder.name(), new DynamicFilterRegistration(holder, filters));
        }
        return all;
    }

    void addListener(@Nullable String className) {
        window.requireOpen();
        String wanted = Arguments.requiredName(className, "class name");
        Class<?> type;
        try {
            type = Class.forName(wanted, true, settings.classLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException("listener class " + wanted + " cannot be loaded: " + e, e);
        }
        addListener(requireListener(type));
    }

    void addListener(@Nullable Class<? extends EventListener> type) {
        window.requireOpen();
        Class<? extends EventListener> wanted = Arguments.required(type, "class");
        requireAddable(wanted);
        try {
            addListener(createListener(wanted));
        } catch (ServletException e) {
            throw new IllegalArgumentException("listener class " + wanted.getName() + " cannot be made: " + e, e);
        }
    }

    <T extends EventListener> void addListener(@Nullable T listener) {
        window.requireOpen();
        EventListener given = Arguments.required(listener, "listener");
        requireAddable(given.getClass());
        listeners.add(given);
    }

    private void requireAddable(Class<?> type) {
        requireListener(type);
        if (ServletContextListener.class.isAssignableFrom(type) && !window.isOpenForContextListeners()) {
            throw new IllegalArgumentException(type.getName()
                    + ": a context listener can be added only before the context's listeners are called");
        }
    }

    private static Class<? extends EventListener> requireListener(Class<?> type) {
        if (!EventListener.class.isAssignableFrom(type) || !Listeners.Table.isRegistrable(type)) {
            throw new IllegalArgumentException(type.getName() + " is not a listener that can be added to a context");
        }
        return type.asSubclass(EventListener.class);
    }

    <T extends Servlet> T createServlet(Class<T> type) throws ServletException {
        T servlet = create(type);
        if (window.isOpen()) {
            created.add(servlet);
        }
        return servlet;
    }

    <T extends EventListener> T createListener(Class<T> type) throws ServletException {
        requireListener(Arguments.required(type, "class"));
        return create(type);
    }

    <T> T create(Class<T> type) throws ServletException {
        try {
            return objects.create(Arguments.required(type, "class"));
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ServletException(type.getName() + " cannot be made: " + e, e);
        }
    }

    /** Called when registration has ended. Forgets the servlets that were created but not added. */
    void close() {
        created.clear();
    }
}
