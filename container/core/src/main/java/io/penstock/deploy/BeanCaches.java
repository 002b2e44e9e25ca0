package io.penstock.deploy;

import java.beans.Introspector;

/**
 * What the platform remembers of the beans that an application has asked it about: it would keep their classes for ever. What other
 * applications have asked about is forgotten with it, and found again when they ask again.
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
