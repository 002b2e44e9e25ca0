package io.penstock.standalone;

import org.jspecify.annotations.Nullable;

/** What the jar's manifest says about itself. */
final class Version {
    private Version() {}

    static String number() {
        @Nullable String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    static String line() {
        return "Penstock " + number() + " on Java " + Runtime.version();
    }
}
