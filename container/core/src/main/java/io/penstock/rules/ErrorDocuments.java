package io.penstock.rules;

import com.google.errorprone.annotations.MustBeClosed;
import io.penstock.http.Accept;
import io.penstock.http.RequestHead;
import io.penstock.limits.OperatorFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The operator's pages for errors that no application answers with a page of its own. They are files of one folder: {@code 404.html} for a status,
 * {@code 5xx.html} for the other statuses of a class. All pages are in memory, so that reactors can send them.
 *
 * <p>Thread: any. Immutable.
 */
public final class ErrorDocuments {
    /** The value of {@code Content-Type} of each page. */
    public static final String TYPE = "text/html;charset=utf-8";

    /** The largest file in bytes. */
    private static final int LARGEST = 64 << 10;

    private static final Pattern NAME = Pattern.compile("([45](?:[0-9]{2}|xx))\\.html");

    private final Map<String, Document> documents;

    /** A page. */
    public static final class Document {
        private final byte[] bytes;

        private Document(byte[] bytes) {
            this.bytes = bytes;
        }

        /** The content, which is shared by all responses and must not be changed. */
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Document document && Arrays.equals(bytes, document.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    private ErrorDocuments(Map<String, Document> documents) {
        this.documents = Map.copyOf(documents);
    }

    /**
     * Reads the pages of a folder. Other files in the folder are ignored.
     *
     * @throws IOException if the folder or a page cannot be read, a page is too large, or there is no page; the one-line message names the file
     *     and the reason
     */
    public static ErrorDocuments read(Path folder) throws IOException {
        Map<String, Document> found = new HashMap<>();
        try (DirectoryStream<Path> files = open(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (NAME.matcher(name).matches()) {
                    found.put(name.substring(0, 3), document(file));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw new IOException(folder + ": " + OperatorFile.reason(Objects.requireNonNull(e.getCause())), e);
        }
        if (found.isEmpty()) {
            throw new IOException(folder + ": has no page; pages are named 404.html or 5xx.html");
        }
        return new ErrorDocuments(found);
    }

    @MustBeClosed
    private static DirectoryStream<Path> open(Path folder) throws IOException {
        try {
            return Files.newDirectoryStream(folder);
        } catch (IOException e) {
            throw new IOException(OperatorFile.explainedFolder(folder, e), e);
        }
    }

    private static Document document(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LARGEST + 1);
        } catch (IOException e) {
            throw new IOException(file + ": " + (Files.isDirectory(file) ? "is a folder" : OperatorFile.reason(e)), e);
        }
        if (bytes.length > LARGEST) {
            throw new IOException(file + ": is larger than " + LARGEST + " bytes");
        }
        return new Document(bytes);
    }

    /** The page for the response to a request; null if there is none, or if the client does not want a page. */
    public @Nullable Document find(int status, RequestHead request) {
        Document found = documents.get(Integer.toString(status));
        if (found == null) {
            found = documents.get(status / 100 + "xx");
        }
        return found == null || !wantsPage(request) ? null : found;
    }

    /**
     * Whether the client wants a page (RFC 9110 section 12.5.1): it names HTML, or it takes everything and does not name JSON, as clients of
     * scripts do.
     */
    private static boolean wantsPage(RequestHead request) {
        List<String> lines = request.fields().all("Accept");
        List<String> types = Accept.types(lines);
        boolean json = types.stream().anyMatch(type -> type.contains("json"));
        return lines.isEmpty() || types.contains("text/html") || (types.contains("*/*") && !json);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ErrorDocuments pages && documents.equals(pages.documents);
    }

    @Override
    public int hashCode() {
        return documents.hashCode();
    }
}
