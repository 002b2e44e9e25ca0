package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.part.LogoutListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletContextAttributeListener;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestAttributeEvent;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EventListener;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of a context. Listeners are called in order of declaration. At the end of a request, a session or the context, they are
 * called in reverse order.
 *
 * <p>At the end of a request or of the context, an exception is logged, and the next listener is called. In all other cases, an exception
 * is rethrown, and the following listeners are not called (Servlet 6.1, section 11.6).
 *
 * <p>Thread: any. Listeners can be registered while the context starts.
 *
 * <p>Owns: the instances.
 */
public final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final RegistrationWindow window;
    private final ServletContext context;
    private final ObjectFactory objects;

    /** The declared listeners, in order. */
    @GuardedBy("this")
    private final List<Entry> entries = new ArrayList<>();

    /** Listeners whose {@code contextInitialized} has been called, the latest first. */
    @GuardedBy("this")
    private final Deque<ContextListener> initialized = new ArrayDeque<>();

    @GuardedBy("this")
    private List<EventListener> instances = List.of();

    @GuardedBy("this")
    private Phase phase = Phase.COLLECTING;

    private volatile Table table = Table.EMPTY;

    private enum Phase {
        COLLECTING,
        MADE
    }

    /**
     * How a listener was registered. A context listener that was added by code may call fewer methods of the context ({@link
     * RestrictedContext}).
     */
    private enum Origin {
        DECLARED,
        ADDED
    }

    private record Entry(Source<EventListener> source, Origin origin) {}

    private record ContextListener(ServletContextListener listener, ServletContextEvent event) {}

    Listeners(RegistrationWindow window, ServletContext context, ObjectFactory objects) {
        this.window = window;
        this.context = context;
        this.objects = objects;
    }

    /**
     * Registers a listener that a descriptor or an annotation declares.
     *
     * @throws IllegalArgumentException if the class is not a listener of the Servlet specification
     */
    public void declare(Class<? extends EventListener> type) {
        requireDeclarable(type);
        register(new Source.Typed<>(type), Origin.DECLARED);
    }

    /** Registers a listener like {@link #declare(Class)}. The embedding program has created the instance. */
    public void declare(EventListener listener) {
        requireDeclarable(listener.getClass());
        register(new Source.Given<>(listener, listener.getClass()), Origin.DECLARED);
    }

    /** Registers a listener that the application adds by code. */
    void add(EventListener listener) {
        register(new Source.Given<>(listener, listener.getClass()), Origin.ADDED);
    }

    private static void requireDeclarable(Class<?> type) {
        if (!Table.isDeclarable(type)) {
            throw new IllegalArgumentException(type.getName() + " is not a listener of the Servlet specification");
        }
    }

    private synchronized void register(Source<EventListener> source, Origin origin) {
        window.requireOpen();
        entries.add(new Entry(source, origin));
        if (phase == Phase.MADE && source instanceof Source.Given<EventListener> given) {
            List<EventListener> all = new ArrayList<>(instances);
            all.add(given.made());
            instances = List.copyOf(all);
            table = Table.of(instances);
        }
    }

    /** Creates the instances and calls {@code contextInitialized}. */
    void start() throws ServletException {
        for (ContextListener next : make()) {
            synchronized (this) {
                initialized.push(next);
            }
            next.listener.contextInitialized(next.event);
        }
    }

    private synchronized List<ContextListener> make() throws ServletException {
        List<EventListener> made = new ArrayList<>();
        List<ContextListener> contextListeners = new ArrayList<>();
        try {
            for (Entry entry : List.copyOf(entries)) {
                EventListener listener = make(entry.source);
                made.add(listener);
                if (listener instanceof ServletContextListener contextListener) {
                    ServletContext seen = entry.origin == Origin.DECLARED ? context : RestrictedContext.of(context);
                    contextListeners.add(new ContextListener(contextListener, new ServletContextEvent(seen)));
                }
            }
        } finally {
            // If a listener cannot be made, stop() releases those before it.
            instances = List.copyOf(made);
        }
        phase = Phase.MADE;
        table = Table.of(instances);
        return contextListeners;
    }

    private EventListener make(Source<EventListener> source) throws ServletException {
        try {
            return source.instance(context.getClassLoader(), objects);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ServletException("listener " + source.className() + " cannot be made: " + e, e);
        }
    }

    /** Calls {@code contextDestroyed} of the listeners whose {@code contextInitialized} was called. Releases all instances. */
    void stop() {
        for (ContextListener next = nextToEnd(); next != null; next = nextToEnd()) {
            try {
                next.listener.contextDestroyed(next.event);
            } catch (Throwable e) {
                failed(next.listener, e);
            }
        }
        List<EventListener> all;
        synchronized (this) {
            all = instances;
            instances = List.of();
            table = Table.EMPTY;
        }
        all.forEach(objects::release);
    }

    private synchronized @Nullable ContextListener nextToEnd() {
        return initialized.poll();
    }

    Table table() {
        return table;
    }

    /** Called when a user has logged out. The listeners are parts of the container. */
    public void loggedOut(HttpSession session) {
        table.logouts().forEach(listener -> listener.loggedOut(session));
    }

    /** Called when a request enters the scope of the context. Exceptions of listeners are rethrown. */
    public void requestInitialized(ServletRequest request) {
        List<ServletRequestListener> listeners = table.requests();
        if (!listeners.isEmpty()) {
            ServletRequestEvent event = new ServletRequestEvent(context, request);
            listeners.forEach(listener -> listener.requestInitialized(event));
        }
    }

    /** Called when a request leaves the scope of the context. Exceptions of listeners are logged. */
    public void requestDestroyed(ServletRequest request) {
        List<ServletRequestListener> listeners = table.requests();
        if (!listeners.isEmpty()) {
            callInReverse(listeners, new ServletRequestEvent(context, request), Listeners::callDestroyed);
        }
    }

    private static void callDestroyed(ServletRequestListener listener, ServletRequestEvent event) {
        try {
            listener.requestDestroyed(event);
        } catch (Throwable e) {
            failed(listener, e);
        }
    }

    public void requestAttributeAdded(ServletRequest request, String name, Object value) {
        requestAttribute(request, name, value, ServletRequestAttributeListener::attributeAdded);
    }

    public void requestAttributeRemoved(ServletRequest request, String name, Object value) {
        requestAttribute(request, name, value, ServletRequestAttributeListener::attributeRemoved);
    }

    /** @param old the replaced value */
    public void requestAttributeReplaced(ServletRequest request, String name, Object old) {
        requestAttribute(request, name, old, ServletRequestAttributeListener::attributeReplaced);
    }

    private void requestAttribute(
            ServletRequest request,
            String name,
            Object value,
            BiConsumer<ServletRequestAttributeListener, ServletRequestAttributeEvent> call) {
        List<ServletRequestAttributeListener> listeners = table.requestAttributes();
        if (!listeners.isEmpty()) {
            callAll(listeners, new ServletRequestAttributeEvent(context, request, name, value), call);
        }
    }

    void contextAttributeAdded(String name, Object value) {
        contextAttribute(name, value, ServletContextAttributeListener::attributeAdded);
    }

    void contextAttributeRemoved(String name, Object value) {
        contextAttribute(name, value, ServletContextAttributeListener::attributeRemoved);
    }

    void contextAttributeReplaced(String name, Object old) {
        contextAttribute(name, old, ServletContextAttributeListener::attributeReplaced);
    }

    private void contextAttribute(
            String name, Object value, BiConsumer<ServletContextAttributeListener, ServletContextAttributeEvent> call) {
        List<ServletContextAttributeListener> listeners = table.contextAttributes();
        if (!listeners.isEmpty()) {
            callAll(listeners, new ServletContextAttributeEvent(context, name, value), call);
        }
    }

    static <L extends EventListener, E> void callAll(List<L> listeners, E event, BiConsumer<L, E> call) {
        // Without an iterator, the usual empty list costs no object.
        for (int i = 0; i < listeners.size(); i++) {
            call.accept(listeners.get(i), event);
        }
    }

    static <L extends EventListener, E> void callInReverse(List<L> listeners, E event, BiConsumer<L, E> call) {
        for (int i = listeners.size() - 1; i >= 0; i--) {
            call.accept(listeners.get(i), event);
        }
    }

    private static void failed(EventListener listener, Throwable e) {
        LOG.error("Listener {} failed", listener.getClass().getName(), e);
    }

    /** The listeners of a context by kind, each list in order of declaration; immutable. */
    record Table(
            List<ServletContextAttributeListener> contextAttributes,
            List<ServletRequestListener> requests,
            List<ServletRequestAttributeListener> requestAttributes,
            List<HttpSessionListener> sessions,
            List<HttpSessionAttributeListener> sessionAttributes,
            List<HttpSessionIdListener> sessionIds,
            List<LogoutListener> logouts) {

        /**
         * The types that {@code ServletContext.addListener} accepts. A {@code ServletContextListener} is accepted only while initializers run.
         */
        private static final List<Class<? extends EventListener>> REGISTRABLE = List.of(
                ServletContextListener.class,
                ServletContextAttributeListener.class,
                ServletRequestListener.class,
                ServletRequestAttributeListener.class,
                HttpSessionListener.class,
                HttpSessionAttributeListener.class,
                HttpSessionIdListener.class);

        /**
         * Listener types that values of session attributes can implement. Some descriptors declare classes of these types as listeners. These
         * declarations are accepted, but have no effect.
         */
        private static final List<Class<? extends EventListener>> OF_ATTRIBUTES =
                List.of(HttpSessionBindingListener.class, HttpSessionActivationListener.class);

        static final Table EMPTY = of(List.of());

        static Table of(List<EventListener> all) {
            return new Table(
                    only(ServletContextAttributeListener.class, all),
                    only(ServletRequestListener.class, all),
                    only(ServletRequestAttributeListener.class, all),
                    only(HttpSessionListener.class, all),
                    only(HttpSessionAttributeListener.class, all),
                    only(HttpSessionIdListener.class, all),
                    only(LogoutListener.class, all));
        }

        static boolean isRegistrable(Class<?> type) {
            return REGISTRABLE.stream().anyMatch(kind -> kind.isAssignableFrom(type));
        }

        static boolean isDeclarable(Class<?> type) {
            return isRegistrable(type) || OF_ATTRIBUTES.stream().anyMatch(kind -> kind.isAssignableFrom(type));
        }

        private static <T> List<T> only(Class<T> kind, List<EventListener> all) {
            return all.stream().filter(kind::isInstance).map(kind::cast).toList();
        }
    }
}
