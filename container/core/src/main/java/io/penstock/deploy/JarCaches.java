package io.penstock.deploy;

import java.net.URLConnection;

/** Switches off the JDK's cache of jars that are read through URLs. Thread: any. */
public final class JarCaches {
    private JarCaches() {}

    /** Applies to the whole JVM. Otherwise the JDK keeps such jars open, even those of undeployed applications and versions. */
    public static void switchOff() {
        URLConnection.setDefaultUseCaches("jar", false);
    }
}
