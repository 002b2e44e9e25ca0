package io.penstock.request;

import io.penstock.http.ParsedBytes;
import io.penstock.http.PartHeaders;
import io.penstock.http.Violation;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One part of a multipart form.
 *
 * <p>Thread: one application thread at a time.
 */
final class StoredPart implements Part {
    /** This object, the object of its content, and places in lists. */
    private static final int OBJECTS = 160;

    private final PartHeaders headers;
    private final Path directory;
    private final PartContent content;
    private long size;

    /** @param directory the base of relative names in {@link #write} */
    StoredPart(PartHeaders headers, Path directory, PartContent content) {
        this.headers = headers;
        this.directory = directory;
        this.content = content;
    }

    void append(byte[] bytes, int offset, int length) throws IOException, Violation {
        size += length;
        content.append(bytes, offset, length);
    }

    void end() throws IOException {
        content.end();
    }

    /** Whether the part is a plain field of the form. A plain field is also a parameter of the request. */
    boolean isField() {
        return headers.fileName() == null;
    }

    /**
     * The content as text.
     *
     * @param memory where the bytes of the text are reserved
     */
    String text(Charset charset, ParsedBytes memory) throws IOException, Violation {
        long most = 4 * size + OBJECTS; // the bytes, the characters while they are decoded, and the string
        memory.reserve(most);
        byte[] bytes = new byte[Math.toIntExact(size)];
        int count;
        try (InputStream in = getInputStream()) {
            count = in.readNBytes(bytes, 0, bytes.length);
        }
        String text = new String(bytes, 0, count, charset);
        memory.giveBack(most - ParsedBytes.of(text));
        return text;
    }

    /** The bytes of this object and its headers in the heap, without the content. */
    long bytes() {
        return OBJECTS + headers.bytes();
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return content.open();
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

    /**
     * Writes the part to a file. A relative name is resolved against the location of the MultipartConfig.
     *
     * @throws IOException if the file cannot be written, or if a relative name leads out of the location. The check is necessary, since the
     *     client may have chosen the name
     */
    @Override
    public void write(String fileName) throws IOException {
        content.writeTo(target(fileName));
    }

    private Path target(String fileName) throws IOException {
        try {
            Path target = directory.resolve(fileName).normalize();
            if (!Path.of(fileName).isAbsolute() && !target.startsWith(directory.normalize())) {
                throw new IOException("The name of a part's file leads out of its location");
            }
            return target;
        } catch (InvalidPathException e) {
            throw new IOException("The name of a part's file is invalid", e);
        }
    }

    @Override
    public void delete() throws IOException {
        content.delete();
    }

    /** Called when the request has ended. */
    void discard() throws IOException {
        content.discard();
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
