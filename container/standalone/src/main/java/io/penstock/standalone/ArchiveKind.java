package io.penstock.standalone;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The kinds of class-data archives. The server uses one kind for each version of Java. */
enum ArchiveKind {
    /** A dynamic archive of classes (JEP 350). It extends the archive that is part of the JDK. */
    CLASS_DATA(".jsa", "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="),

    /** An AOT cache (JEP 483, 514, 515). It contains loaded and linked classes, and profiles. */
    AOT_CACHE(".aot", "-XX:AOTCacheOutput=", "-XX:AOTCache=");

    /** The environment variables with JVM options. */
    static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

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

    /**
     * Whether the JVM was told to use an archive.
     *
     * @param commandLine the command line of the process
     * @param environment the environment of the process
     */
    static boolean isNamed(String commandLine, Map<String, String> environment) {
        boolean named = isIn(commandLine);
        for (String name : VARIABLES) { // a loop, since a first lambda would delay the start
            named |= isIn(environment.getOrDefault(name, ""));
        }
        return named;
    }

    private static boolean isIn(String options) {
        return options.contains(CLASS_DATA.toUse) || options.contains(AOT_CACHE.toUse);
    }

    /** The ending of the archive's file name. */
    String suffix() {
        return suffix;
    }

    /** The JVM option that creates the archive at the end of the process. */
    String toMake(Path archive) {
        return toMake + archive;
    }

    /** The JVM option that uses the archive. */
    String toUse(Path archive) {
        return toUse + archive;
    }
}
