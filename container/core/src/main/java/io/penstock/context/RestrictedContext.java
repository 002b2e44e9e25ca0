package io.penstock.context;

import jakarta.servlet.ServletContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;

/**
 * The {@code ServletContext} that a context listener gets if code has added the listener. All methods that configure the context throw an
 * exception (Servlet 6.1, section 4.4).
 */
final class RestrictedContext {
    private static final Set<String> REFUSED = Set.of(
            "addServlet",
            "addJspFile",
            "createServlet",
            "getServletRegistration",
            "getServletRegistrations",
            "addFilter",
            "createFilter",
            "getFilterRegistration",
            "getFilterRegistrations",
            "addListener",
            "createListener",
            "getSessionCookieConfig",
            "setSessionTrackingModes",
            "setSessionTimeout",
            "setInitParameter",
            "declareRoles",
            "setRequestCharacterEncoding",
            "setResponseCharacterEncoding");

    private RestrictedContext() {}

    static ServletContext of(ServletContext context) {
        return (ServletContext) Proxy.newProxyInstance(
                RestrictedContext.class.getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("equals")) {
                        return proxy == args[0];
                    }
                    if (REFUSED.contains(method.getName())) {
                        throw new UnsupportedOperationException(
                                method.getName() + " cannot be called by a context listener that was added by code");
                    }
                    return call(context, method, args);
                });
    }

    private static Object call(ServletContext context, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(context, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
