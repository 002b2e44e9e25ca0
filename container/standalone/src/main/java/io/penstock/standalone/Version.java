package io.penstock.standalone;

import org.jspecify.annotations.Nullable;

/** The version in the jar's manifest. */
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
