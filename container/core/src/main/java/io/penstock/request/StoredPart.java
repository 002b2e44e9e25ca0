package io.penstock.request;

import io.penstock.http.PartHeaders;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One part of a multipart form: in memory up to a threshold, beyond it in a temporary file that goes with the request.
 *
 * <p>Thread: one application thread at a time.
 *
 * <p>Owns: its file until {@link #delete} or {@link #write}.
 */
final class StoredPart implements Part {
    private final PartHeaders headers;
    private final Path directory;
    private final int threshold;
    private ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable OutputStream spilling;
    private @Nullable Path file;
    private Owner owner = Owner.REQUEST;
    private long size;

    /** Whose the file is. */
    private enum Owner {
        REQUEST,
        APPLICATION
    }

    /**
     * @param directory where files go, and what relative names in {@link #write} are relative to
     * @param threshold bytes kept in memory
     */
    StoredPart(PartHeaders headers, Path directory, int threshold) {
        this.headers = headers;
        this.directory = directory;
        this.threshold = threshold;
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        size += length;
        if (spilling == null && size > threshold) {
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

    void end() throws IOException {
        if (spilling != null) {
            spilling.close();
            spilling = null;
        }
    }

    /** Whether it is a plain field of the form, so that it is a parameter too. */
    boolean isField() {
        return headers.fileName() == null;
    }

    String text(Charset charset) throws IOException {
        try (InputStream in = getInputStream()) {
            return new String(in.readAllBytes(), charset);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return file == null ? new ByteArrayInputStream(memory.toByteArray()) : Files.newInputStream(file);
    }

    @Override
    public @Nullable String getContentType() {
        return headers.contentType();
    }

    @Override
    public String getName() {
        return headers.name();
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return headers.fileName();
    }

    @Override
    public long getSize() {
        return size;
    }

    /** A name that is not absolute is one in the location of the MultipartConfig. The part's own file is moved there. */
    @Override
    public void write(String fileName) throws IOException {
        Path target = directory.resolve(fileName);
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

    /** The request has ended: the file goes, unless {@link #write} has made it the application's. */
    void discard() throws IOException {
        if (owner == Owner.REQUEST) {
            delete();
        }
    }

    @Override
    public @Nullable String getHeader(String name) {
        return headers.fields().first(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return headers.fields().all(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return headers.fields().names();
    }
}
