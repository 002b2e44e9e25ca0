package io.penstock.deploy.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** A listener that sets an attribute of the context to the context class loader of the calling thread. */
@WebListener
public class StartListener implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        event.getServletContext()
                .setAttribute("started-with", Thread.currentThread().getContextClassLoader());
    }
}
