package io.penstock.deploy.application;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import java.util.Set;
import java.util.TreeSet;

/** Leaves a note of the classes it was given. */
@HandlesTypes(Greeter.class)
public class GreeterInitializer implements ServletContainerInitializer {
    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        Set<String> names = new TreeSet<>();
        if (classes != null) {
            classes.forEach(type -> names.add(type.getSimpleName()));
        }
        context.setAttribute("greeters", names);
    }
}
