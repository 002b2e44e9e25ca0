package io.penstock.deploy;

import java.beans.Introspector;

/**
 * Clears the platform's caches of bean information, which would keep the classes of an application for ever. Entries of other applications
 * are cleared too; the platform computes them again when needed.
 *
 * <p>Thread: the one that stops the application.
 */
final class BeanCaches implements AutoCloseable {

    @Override
    public void close() {
        if (ModuleLayer.boot().findModule("java.desktop").isPresent()) {
            Introspector.flushCaches();
        }
    }
}
