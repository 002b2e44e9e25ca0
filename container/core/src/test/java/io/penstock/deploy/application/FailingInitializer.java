package io.penstock.deploy.application;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.util.Set;

/** Works in another container only. */
public class FailingInitializer implements ServletContainerInitializer {
    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        throw new ClassCastException("not a context of that container");
    }
}
