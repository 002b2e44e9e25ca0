package io.penstock.release;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folder with the release, which {@code release/stage} has created. This class also runs programs for tests. */
final class Staging {
    private Staging() {}

    static Path folder() {
        return Path.of(property("penstock.staging"));
    }

    /** The version of the release. */
    static String version() {
        return property("penstock.version");
    }

    /** The folder of the published artifacts, in the layout of a Maven repository. */
    static Path artifacts() {
        return folder().resolve("maven/io/penstock");
    }

    /** A file of the release that is not a Maven artifact. */
    static Path file(String name) {
        return folder().resolve(name);
    }

    static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("run by release/stage, which sets " + name);
        }
        return value;
    }

    /** @param text the text of standard output and standard error */
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
