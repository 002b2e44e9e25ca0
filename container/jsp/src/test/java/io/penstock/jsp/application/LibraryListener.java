package io.penstock.jsp.application;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

/** A listener that a tag library declares. It records whether the container refuses a call that configures the application. */
public class LibraryListener implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        try {
            context.addJspFile("late", "/late.jsp");
            context.setAttribute("library-listener", "called, and addJspFile is allowed");
        } catch (UnsupportedOperationException e) {
            context.setAttribute("library-listener", "called, and addJspFile is refused");
        }
    }
}
