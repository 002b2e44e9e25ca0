package io.penstock.deploy;

import java.net.URLConnection;

/** What the platform keeps of jars that have been read by a URL. Thread: any. */
public final class JarCaches {
    private JarCaches() {}

    /** For this JVM: otherwise the platform keeps jars open that it has once read by a URL, also those of applications and versions that have gone. */
    public static void switchOff() {
        URLConnection.setDefaultUseCaches("jar", false);
    }
}
