package io.penstock.context;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;

/** Runs when a context starts, before its listeners: a {@code ServletContainerInitializer} with its classes. */
@FunctionalInterface
public interface ContextInitializer {
    void onStartup(ServletContext context) throws ServletException;
}
