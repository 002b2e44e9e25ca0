package io.penstock.context;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;

/**
 * Runs a {@code ServletContainerInitializer}, and passes the classes of its {@code @HandlesTypes} annotation. The initializer runs when a
 * context starts, before the context's listeners.
 */
@FunctionalInterface
public interface ContextInitializer {
    void onStartup(ServletContext context) throws ServletException;
}
