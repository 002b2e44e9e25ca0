package io.penstock.jsp;

import java.lang.reflect.InvocationTargetException;
import org.apache.tomcat.InstanceManager;

/**
 * Creates the instances of an application's classes that the engine needs: pages, tag handlers, and helper objects. Thread: any.
 *
 * @param application the application's class loader; it loads the classes that the engine requests by name
 */
record Instances(ClassLoader application) implements InstanceManager {

    @Override
    public Object newInstance(Class<?> type)
            throws IllegalAccessException, InvocationTargetException, InstantiationException, NoSuchMethodException {
        return type.getConstructor().newInstance();
    }

    @Override
    public Object newInstance(String className)
            throws IllegalAccessException, InvocationTargetException, InstantiationException, ClassNotFoundException,
                    NoSuchMethodException {
        return newInstance(className, application);
    }

    @Override
    public Object newInstance(String className, ClassLoader loader)
            throws IllegalAccessException, InvocationTargetException, InstantiationException, ClassNotFoundException,
                    NoSuchMethodException {
        return newInstance(loader.loadClass(className));
    }

    @Override
    public void newInstance(Object made) {
        // Objects that the engine itself has created get no injection.
    }

    @Override
    public void destroyInstance(Object made) {
        // The engine has already called the methods of pages and tag handlers that end their life cycle.
    }
}
