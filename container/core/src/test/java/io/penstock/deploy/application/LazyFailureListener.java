package io.penstock.deploy.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** A listener that fails with an exception whose text needs a class that nothing has loaded before. */
@WebListener
public class LazyFailureListener implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        throw new Failure();
    }

    /** The exception. */
    public static final class Failure extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            return Reason.text();
        }
    }

    /** The class that the text needs. */
    public static final class Reason {
        private Reason() {}

        static String text() {
            return "the reason";
        }
    }
}
