package io.penstock.deploy.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** A listener that fails during the start of the application. */
@WebListener
public class ThrowingListener implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        // This call throws an exception.
        Integer.parseInt("no number");
    }
}
