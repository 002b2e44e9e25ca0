package io.penstock.request;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * A part of a body that came through memory: kept there up to a threshold, beyond it in a temporary file that goes with the request.
 *
 * <p>Owns: its file until {@link #delete} or {@link #writeTo}.
 */
final class StoredContent implements PartContent {
    private final Path directory;
    private final int threshold;
    private ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable OutputStream spilling;
    private @Nullable Path file;
    private Owner owner = Owner.REQUEST;

    /** Whose the file is. */
    private enum Owner {
        REQUEST,
        APPLICATION
    }

    /**
     * @param directory where the file goes
     * @param threshold bytes kept in memory
     */
    StoredContent(Path directory, int threshold) {
        this.directory = directory;
        this.threshold = threshold;
    }

    @Override
    public void append(byte[] bytes, int offset, int length) throws IOException {
        if (spilling == null && memory.size() + length > threshold) {
            file = Files.createTempFile(directory, "part-", ".tmp");
            spilling = Files.newOutputStream(file);
            memory.writeTo(spilling);
            memory = new ByteArrayOutputStream(0);
        }
        if (spilling == null) {
            memory.write(bytes, offset, length);
        } else {
            spilling.write(bytes, offset, length);
        }
    }

    @Override
    public void end() throws IOException {
        if (spilling != null) {
            spilling.close();
            spilling = null;
        }
    }

    @Override
    public InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(memory.toByteArray()) : Files.newInputStream(file);
    }

    /** The part's own file is moved there. */
    @Override
    public void writeTo(Path target) throws IOException {
        if (file != null) {
            file = Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
            owner = Owner.APPLICATION;
            return;
        }
        try (OutputStream out = Files.newOutputStream(target)) {
            memory.writeTo(out);
        }
    }

    @Override
    public void delete() throws IOException {
        end();
        if (file != null) {
            Files.deleteIfExists(file);
        }
        memory = new ByteArrayOutputStream(0);
    }

    @Override
    public void discard() throws IOException {
        if (owner == Owner.REQUEST) {
            delete();
        }
    }
}
