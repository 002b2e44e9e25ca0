package io.penstock.deploy;

import java.beans.Introspector;

/**
 * Clears the JDK's caches of bean information, which would keep the classes of an application for ever. This also clears entries of other
 * applications; the JDK computes them again when needed. <p>Thread: the thread that stops the application.
 */
final class BeanCaches implements AutoCloseable {

    @Override
    public void close() {
        if (ModuleLayer.boot().findModule("java.desktop").isPresent()) {
            Introspector.flushCaches();
        }
    }
}
