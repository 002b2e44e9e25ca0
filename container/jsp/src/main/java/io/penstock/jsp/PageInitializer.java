package io.penstock.jsp;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.jsp.JspFactory;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.jasper.runtime.JspFactoryImpl;
import org.apache.tomcat.InstanceManager;
import org.jspecify.annotations.Nullable;

/**
 * Prepares an application for JSP. Adds the listeners that tag libraries declare. Sets the {@link JspFactory}, which frameworks need during
 * the start of the application. The engine itself starts with the first request for a page.
 *
 * <p>Thread: the threads that deploy applications.
 */
final class PageInitializer implements ServletContainerInitializer {

    @Override
    public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) throws ServletException {
        EngineLog.use();
        setFactory();
        context.setAttribute(InstanceManager.class.getName(), new Instances(context.getClassLoader()));
        for (TagLibrary library : libraries(context)) {
            for (String listener : TagListeners.of(library)) {
                add(listener, library, context);
            }
        }
    }

    /** Sets the JSP factory once, for all servers of the JVM. */
    private static synchronized void setFactory() {
        if (JspFactory.getDefaultFactory() == null) {
            JspFactory.setDefaultFactory(new JspFactoryImpl());
        }
    }

    private static List<TagLibrary> libraries(ServletContext context) throws ServletException {
        try {
            return TagLibraries.of(context);
        } catch (IOException e) {
            throw new ServletException("tag libraries cannot be found: " + e);
        }
    }

    private static void add(String listener, TagLibrary library, ServletContext context) throws ServletException {
        try {
            context.addListener(listener);
        } catch (IllegalArgumentException e) {
            throw new ServletException(library.name() + ": <listener>: " + e.getMessage());
        }
    }
}
