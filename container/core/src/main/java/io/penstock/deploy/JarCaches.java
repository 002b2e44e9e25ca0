package io.penstock.deploy;

import java.net.URLConnection;

/** Switches off the JDK's cache of jars that are read by a URL. Thread: any. */
public final class JarCaches {
    private JarCaches() {}

    /** Applies to this JVM. Otherwise the JDK keeps jars open that it has read by a URL, even jars of undeployed applications and versions. */
    public static void switchOff() {
        URLConnection.setDefaultUseCaches("jar", false);
    }
}
