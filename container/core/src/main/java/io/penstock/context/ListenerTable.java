package io.penstock.context;

import io.penstock.part.LogoutListener;
import jakarta.servlet.ServletContextAttributeListener;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.EventListener;
import java.util.List;

/** The listeners of a context by kind, each list in order of declaration; immutable. */
record ListenerTable(
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

    static final ListenerTable EMPTY = of(List.of());

    static ListenerTable of(List<EventListener> all) {
        return new ListenerTable(
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
