package io.penstock.deploy.application;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import java.util.Set;

/** An initialiser that handles two types. In some tests, the first type is missing in the application. */
@HandlesTypes({NonBlockingServlet.class, Greeter.class})
public class OptionalInitializer implements ServletContainerInitializer {
    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        context.setAttribute("greeters", classes == null ? 0 : classes.size());
    }
}
