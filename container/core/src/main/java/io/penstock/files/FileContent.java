package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.http.ByteRange;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Copies the content of files to the response. This class is used if the server does not send a file directly from the disk. */
final class FileContent {
    private static final int BUFFER = 16 * 1024;

    private FileContent() {}

    /** Thrown if a file was replaced or changed between its lookup and its opening. */
    static final class Replaced extends IOException {
        private static final long serialVersionUID = 1L;

        Replaced(Resource file, @Nullable Throwable cause) {
            super("file was replaced while it was opened: " + file.path(), cause);
        }
    }

    /**
     * Checks a file that has been opened after its lookup. If the file still is as it was at the lookup, its size and its validators are
     * those of the opened file.
     *
     * @throws Replaced if it is not
     */
    static void requireSame(Resource file) throws Replaced {
        try {
            BasicFileAttributes now = Files.readAttributes(file.file(), BasicFileAttributes.class);
            if (now.size() == file.size() && now.lastModifiedTime().toInstant().equals(file.modified())) {
                return;
            }
        } catch (IOException deleted) {
            throw new Replaced(file, deleted);
        }
        throw new Replaced(file, null);
    }

    static ByteRange all(Resource file) {
        return new ByteRange(0, file.size() - 1);
    }

    /**
     * Reads a whole file, which must be small.
     *
     * @throws EOFException if the file on disk is now shorter than the size of {@code file}
     */
    static byte[] bytes(Resource file) throws IOException {
        byte[] bytes = new byte[(int) file.size()];
        try (InputStream content = file.open()) {
            if (content.readNBytes(bytes, 0, bytes.length) < bytes.length) {
                throw shorter(file);
            }
        }
        return bytes;
    }

    private static EOFException shorter(Resource file) {
        return new EOFException("file became shorter while it was sent: " + file.path());
    }

    /** @throws EOFException if the file on disk is now shorter than the size of {@code file} */
    static void copy(Resource file, ByteRange range, OutputStream target) throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER, range.length())];
        try (InputStream content = file.open()) {
            content.skipNBytes(range.first());
            for (long left = range.length(); left > 0; ) {
                int count = content.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (count < 0) {
                    throw shorter(file);
                }
                target.write(buffer, 0, count);
                left -= count;
            }
        }
    }

    /** Copies a file as text, for a response whose writer is already in use. */
    static void copy(Resource file, Charset charset, Writer target) throws IOException {
        try (InputStreamReader content = new InputStreamReader(file.open(), charset)) {
            content.transferTo(target);
        }
    }
}
