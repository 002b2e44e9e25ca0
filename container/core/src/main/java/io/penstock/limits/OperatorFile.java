package io.penstock.limits;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads text files that the operator has written, and explains in an operator's words why a file or folder cannot be used. */
public final class OperatorFile {
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** Some editors write this mark before the text of a file in UTF-8. It is no part of the text. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private OperatorFile() {}

    /**
     * Returns the lines of a file.
     *
     * @throws IOException if the file cannot be read; the one-line message names the file and the reason
     */
    public static List<String> lines(Path file) throws IOException {
        try {
            return allLines(file);
        } catch (IOException e) {
            throw new IOException(file + ": " + reason(e), e);
        }
    }

    /** Like {@link #lines}, with the exceptions of the JDK. */
    static List<String> allLines(Path file) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        if (!lines.isEmpty() && lines.get(0).startsWith(BYTE_ORDER_MARK)) {
            lines.set(0, lines.get(0).substring(BYTE_ORDER_MARK.length()));
        }
        return lines;
    }

    /** The file or folder that the exception names, if any, and the reason: {@code /srv/data: permission denied}. */
    public static String explained(IOException failure) {
        boolean named = failure instanceof FileSystemException file && file.getFile() != null;
        return named ? ((FileSystemException) failure).getFile() + ": " + reason(failure) : reason(failure);
    }

    /** The folder, and the reason why no file can be made in it. */
    public static String explainedFolder(Path folder, IOException failure) {
        String reason = Files.isDirectory(folder)
                ? reason(failure)
                : Files.exists(folder) ? "not a folder" : "no such folder; create it first";
        return folder + ": " + reason;
    }

    /** Whether others than the owner can write to the folder, and could replace what the server runs or shows as its own. */
    public static boolean othersCanWrite(Path folder) throws IOException {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(folder).stream().anyMatch(OTHERS_WRITE::contains);
    }

    /**
     * The reason why a file or folder cannot be used, such as {@code permission denied}. The messages of the JDK's exceptions often contain
     * only the name of the file, and the name of their class would be the only reason.
     */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException missing) {
            Path folder = missing.getFile() == null
                    ? null
                    : Path.of(missing.getFile()).toAbsolutePath().getParent();
            return folder == null || Files.exists(folder) ? "no such file" : "its folder does not exist";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof CharacterCodingException) {
            return "not in UTF-8";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a folder";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "already exists";
        }
        if (failure instanceof FileSystemException withReason && withReason.getReason() != null) {
            return withReason.getReason();
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
