package io.penstock.release;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folder of the release. The script {@code release/stage} has created this folder. This class also runs programs for tests. */
final class Staging {
    private Staging() {}

    static Path folder() {
        return Path.of(property("penstock.staging"));
    }

    /** Returns the version of the release. */
    static String version() {
        return property("penstock.version");
    }

    /** Returns the folder of the published artifacts, in the layout of a Maven repository. */
    static Path artifacts() {
        return folder().resolve("maven/io/penstock");
    }

    /** Returns a file of the release that is not a Maven artifact. */
    static Path file(String name) {
        return folder().resolve(name);
    }

    static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("run this test with release/stage: it sets the property " + name);
        }
        return value;
    }

    /** @param text the text that the program has written to standard output and standard error */
    record Result(int exitCode, String text) {}

    static Result run(Path folder, List<String> command) throws Exception {
        Path output = Files.createTempFile("output", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            int exitCode = builder.start().waitFor();
            return new Result(exitCode, Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }
}
