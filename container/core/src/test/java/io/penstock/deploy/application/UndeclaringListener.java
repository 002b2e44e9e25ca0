package io.penstock.deploy.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.io.IOException;

/** A listener that fails during the start of the application, with a checked exception that it does not declare. */
@WebListener
public class UndeclaringListener implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        UndeclaringListener.<RuntimeException>raise(new IOException("no such file"));
    }

    @SuppressWarnings("unchecked") // the cast is not checked, which is the purpose
    private static <T extends Exception> void raise(Exception thrown) throws T {
        throw (T) thrown;
    }
}
