package io.penstock.deploy;

import java.net.URLConnection;

/** Switches off the JDK's cache of jars that are read through URLs. Thread: any. */
public final class JarCaches {
    private JarCaches() {}

    /**
     * Switches off the cache for the whole JVM. With the cache, the JDK would keep the jars of undeployed applications and of former
     * versions open.
     */
    public static void switchOff() {
        URLConnection.setDefaultUseCaches("jar", false);
    }
}
