package io.penstock.release;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folder that {@code release/stage} has made. Runs programs on its files. */
final class Staging {
    private Staging() {}

    static Path folder() {
        return Path.of(property("penstock.staging"));
    }

    /** The version of the release. */
    static String version() {
        return property("penstock.version");
    }

    /** The folder of the published artifacts, as a Maven repository has it. */
    static Path artifacts() {
        return folder().resolve("maven/io/penstock");
    }

    /** A file of the release beside that folder. */
    static Path file(String name) {
        return folder().resolve(name);
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("run by release/stage --test, which sets " + name);
        }
        return value;
    }

    /** @param text of both streams */
    record Said(int exitCode, String text) {}

    static Said run(Path folder, List<String> command) throws Exception {
        Path output = Files.createTempFile("said", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            int exitCode = builder.start().waitFor();
            return new Said(exitCode, Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }
}
