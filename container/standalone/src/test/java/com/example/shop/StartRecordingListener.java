package com.example.shop;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

/** Sets a system property when the application starts. */
public final class StartRecordingListener implements ServletContextListener {
    public static final String STARTED = "com.example.shop.started";

    @Override
    public void contextInitialized(ServletContextEvent event) {
        System.setProperty(STARTED, "yes");
    }
}
