package io.penstock.deploy.application;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.HandlesTypes;
import java.util.Set;
import java.util.TreeSet;

/** An initialiser that sets an attribute of the context to the names of the classes that the initialiser gets. */
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
