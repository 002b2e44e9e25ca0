package io.penstock.deploy.application;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.util.Set;

/** An initialiser that works only in another container, and fails in this server. */
public class FailingInitializer implements ServletContainerInitializer {
    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        throw new ClassCastException("not a context of that container");
    }
}
