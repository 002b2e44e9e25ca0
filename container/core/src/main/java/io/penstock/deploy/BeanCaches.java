package io.penstock.deploy;

import java.beans.Introspector;

/**
 * Clears the JDK's caches of bean information. Otherwise these caches would keep the classes of an undeployed application in memory for
 * ever. The entries of other applications are cleared, too. The JDK computes these entries again when they are needed.
 *
 * <p>Thread: the thread that stops the application.
 */
final class BeanCaches implements AutoCloseable {

    @Override
    public void close() {
        if (ModuleLayer.boot().findModule("java.desktop").isPresent()) {
            Introspector.flushCaches();
        }
    }
}
