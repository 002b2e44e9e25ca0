package io.penstock.request;

import io.penstock.exchange.ClientFault;
import io.penstock.http.ParsedBytes;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.memory.ByteAccount;
import io.penstock.time.RateLimitedLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of a multipart form. If the whole body of the request is in one file, {@link RegionContent} is used instead of this class. A small
 * part stays in memory; a part above a threshold is kept in a temporary file. The bytes of the file are reserved in a {@link ByteAccount}
 * of the server, those in memory in the {@link ParsedBytes} of the request. The file is deleted when the request ends.
 *
 * <p>Owns: the temporary file, and the bytes reserved for the file, until {@link #delete} or {@link #writeTo}.
 */
final class StoredContent implements PartContent {
    private static final Logger LOG = LoggerFactory.getLogger(StoredContent.class);
    private static final RateLimitedLog UNWRITTEN = new RateLimitedLog();
    private static final byte[] NONE = new byte[0];
    private static final int FIRST = 32;

    /** The objects for the path of a temporary file. */
    private static final int PATH = 512;

    private final Path directory;
    private final int threshold;
    private final ByteAccount disk;
    private final ParsedBytes memory;
    private byte[] bytes = NONE;
    private int size;
    private @Nullable OutputStream spilling;
    private @Nullable Path file;
    private long granted;
    private Owner owner = Owner.REQUEST;

    /** The owner of the file. */
    private enum Owner {
        REQUEST,
        APPLICATION
    }

    /**
     * @param directory the directory of the temporary file
     * @param threshold the number of bytes that may stay in memory
     */
    StoredContent(Path directory, int threshold, ByteAccount disk, ParsedBytes memory) {
        this.directory = directory;
        this.threshold = threshold;
        this.disk = disk;
        this.memory = memory;
    }

    @Override
    public void append(byte[] more, int offset, int length) throws IOException, Violation {
        if (spilling == null && length <= threshold - size) {
            keep(more, offset, length);
            return;
        }
        if (spilling == null) {
            reserve(size);
            memory.reserve(PATH);
        }
        reserve(length);
        try {
            write(more, offset, length);
        } catch (IOException e) {
            throw unwritten(e);
        }
    }

    private void write(byte[] more, int offset, int length) throws IOException {
        OutputStream out = spilling;
        if (out == null) {
            file = Files.createTempFile(directory, "part-", ".tmp");
            out = Files.newOutputStream(file);
            spilling = out;
            out.write(bytes, 0, size);
            forget();
        }
        out.write(more, offset, length);
    }

    private void keep(byte[] more, int offset, int length) throws Violation {
        int needed = size + length;
        if (needed > bytes.length) {
            int larger = (int) Math.min(threshold, Math.max(needed, Math.max(FIRST, 2L * bytes.length)));
            memory.reserve(larger);
            int before = bytes.length;
            bytes = Arrays.copyOf(bytes, larger);
            memory.giveBack(before);
        }
        System.arraycopy(more, offset, bytes, size, length);
        size = needed;
    }

    private void forget() {
        memory.giveBack(bytes.length);
        bytes = NONE;
        size = 0;
    }

    /**
     * The exception if a file cannot be written, for example because the disk is full. It is not the application's fault. Like other
     * uploads that need the disk, the request is answered 503.
     */
    private ClientFault unwritten(IOException failure) {
        String reason = OperatorFile.reason(failure);
        UNWRITTEN.warn(LOG, "Parts of forms could not be written to temporary files in " + directory, reason, failure);
        return new ClientFault(503, "a part of the form could not be written: " + reason);
    }

    private void reserve(long bytes) throws Violation {
        if (!disk.tryReserve(bytes)) {
            throw new Violation(Key.SPOOL_LIMIT);
        }
        granted += bytes;
    }

    private void giveBack() {
        disk.giveBack(granted);
        granted = 0;
    }

    @Override
    public void end() throws IOException {
        OutputStream open = spilling;
        spilling = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw unwritten(e);
            }
        }
    }

    @Override
    public InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(bytes, 0, size) : Files.newInputStream(file);
    }

    /** Moves the temporary file to the target. If the part is in memory, writes its bytes to the target. */
    @Override
    public void writeTo(Path target) throws IOException {
        if (file != null) {
            file = Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
            owner = Owner.APPLICATION;
            giveBack();
            return;
        }
        try (OutputStream out = Files.newOutputStream(target)) {
            out.write(bytes, 0, size);
        }
    }

    @Override
    public void delete() throws IOException {
        forget();
        try {
            end();
        } finally {
            // The file is deleted even if it could not be closed, for example because the disk is full.
            if (file != null) {
                Files.deleteIfExists(file);
            }
            giveBack();
        }
    }

    @Override
    public void discard() throws IOException {
        if (owner == Owner.REQUEST) {
            delete();
        }
    }
}
