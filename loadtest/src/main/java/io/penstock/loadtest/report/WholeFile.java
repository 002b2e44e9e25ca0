package io.penstock.loadtest.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file completely or not at all. If the program ends while the file is being written, the old file remains. */
public final class WholeFile {
    private WholeFile() {}

    /** Writes the content of the file. */
    public interface Content {
        void into(OutputStream out) throws IOException;
    }

    public static void write(Path file, String text) throws IOException {
        if (replaceable(file)) {
            Path part = part(file);
            Files.writeString(part, text);
            replace(part, file);
        } else {
            Files.writeString(file, text);
        }
    }

    public static void write(Path file, Content content) throws IOException {
        Path target = replaceable(file) ? part(file) : file;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
            content.into(out);
        }
        if (!target.equals(file)) {
            replace(target, file);
        }
    }

    /**
     * Whether the file can be replaced in one step. Terminals, pipes and symbolic links are not replaced; the output is written to them
     * directly.
     */
    private static boolean replaceable(Path file) {
        return !Files.exists(file) || Files.isRegularFile(file) && !Files.isSymbolicLink(file);
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    private static void replace(Path part, Path file) throws IOException {
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
