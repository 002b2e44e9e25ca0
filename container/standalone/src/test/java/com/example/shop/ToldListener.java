package com.example.shop;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

/** Sets a system property when it runs. */
public final class ToldListener implements ServletContextListener {
    public static final String TOLD = "com.example.shop.told";

    @Override
    public void contextInitialized(ServletContextEvent event) {
        System.setProperty(TOLD, "yes");
    }
}
