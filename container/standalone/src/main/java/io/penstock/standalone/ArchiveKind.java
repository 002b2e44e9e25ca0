package io.penstock.standalone;

import java.nio.file.Path;

/** The kinds of class-data archives. Each JVM supports one. */
enum ArchiveKind {
    /** A dynamic archive on top of the JVM's own, which holds classes (JEP 350). */
    CLASS_DATA(".jsa", "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="),

    /** An AOT cache, which holds classes as they are after loading and linking, and profiles (JEP 483, 514, 515). */
    AOT_CACHE(".aot", "-XX:AOTCacheOutput=", "-XX:AOTCache=");

    private static final int FIRST_WITH_AOT_CACHE = 25;

    private final String suffix;
    private final String toMake;
    private final String toUse;

    ArchiveKind(String suffix, String toMake, String toUse) {
        this.suffix = suffix;
        this.toMake = toMake;
        this.toUse = toUse;
    }

    /** The kind with which this JVM starts fastest. */
    static ArchiveKind ofThisJvm() {
        return Runtime.version().feature() >= FIRST_WITH_AOT_CACHE ? AOT_CACHE : CLASS_DATA;
    }

    /** The ending of the archive's file name. */
    String suffix() {
        return suffix;
    }

    /** The JVM's option that makes the archive when the process ends. */
    String toMake(Path archive) {
        return toMake + archive;
    }

    /** The JVM's option that uses the archive. */
    String toUse(Path archive) {
        return toUse + archive;
    }
}
