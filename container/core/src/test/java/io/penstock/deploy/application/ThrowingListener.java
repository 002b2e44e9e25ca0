package io.penstock.deploy.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** Fails as its application starts. */
@WebListener
public class ThrowingListener implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        Integer.parseInt("no number"); // throws
    }
}
