package io.penstock.limits;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads text files that the operator has written, and explains why a file cannot be read. */
public final class OperatorFile {
    private OperatorFile() {}

    /**
     * Returns the lines of a file.
     *
     * @throws IOException if the file cannot be read; the one-line message names the file and the reason
     */
    public static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IOException(file + ": " + reason(e), e);
        }
    }

    /**
     * The reason why a file cannot be read, such as {@code permission denied}. The messages of the JDK's exceptions often contain only the
     * name of the file.
     */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof CharacterCodingException) {
            return "not in UTF-8";
        }
        if (failure instanceof FileSystemException withReason && withReason.getReason() != null) {
            return withReason.getReason();
        }
        return String.valueOf(failure.getMessage());
    }
}
