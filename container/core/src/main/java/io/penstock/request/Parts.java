package io.penstock.request;

import io.penstock.http.MediaType;
import io.penstock.http.MultipartLimits;
import io.penstock.http.MultipartParser;
import io.penstock.http.ParsedBytes;
import io.penstock.http.PartHeaders;
import io.penstock.http.PartSink;
import io.penstock.http.Violation;
import io.penstock.limits.OperatorFile;
import io.penstock.memory.ByteAccount;
import io.penstock.spool.SpoolFile;
import io.penstock.time.RateLimitedLog;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of one multipart request (Servlet 3.2).
 *
 * <p>Thread: one application thread at a time.
 *
 * <p>Owns: the temporary files of the parts. {@link #delete} deletes the files when the request ends.
 */
final class Parts {
    private static final Logger LOG = LoggerFactory.getLogger(Parts.class);
    private static final RateLimitedLog UNDELETED = new RateLimitedLog();

    private final ParsedBytes memory;
    private final List<StoredPart> parts = new ArrayList<>();

    /** @param memory where the bytes of the parts in the heap are reserved */
    Parts(ParsedBytes memory) {
        this.memory = memory;
    }

    /**
     * Reads the whole body.
     *
     * @param file the file with the whole body, or null if the body is not on disk; with a file, the parts stay in this file
     * @param disk grants disk space for parts that are too large for memory; unused if {@code file} is not null
     * @throws Violation if the body is malformed or exceeds a limit; the parts that have been stored are deleted
     */
    void read(
            InputStream body,
            @Nullable SpoolFile file,
            ByteAccount disk,
            MediaType type,
            MultipartConfigElement config,
            MultipartLimits limits,
            Path temporary)
            throws IOException, Violation {
        try {
            Storing storing = new Storing(file, disk, directory(config, temporary), config);
            new MultipartParser(MultipartParser.boundary(type), limits, storing).parse(body);
        } catch (IOException | Violation | RuntimeException e) {
            delete();
            throw e;
        }
    }

    List<Part> all() {
        return List.copyOf(parts);
    }

    List<StoredPart> stored() {
        return parts;
    }

    @Nullable
    Part named(String name) {
        for (StoredPart part : parts) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    void delete() {
        for (StoredPart part : parts) {
            try {
                part.discard();
            } catch (IOException e) {
                UNDELETED.warn(LOG, "Temporary files of uploads could not be deleted", OperatorFile.explained(e), e);
            }
        }
        parts.clear();
    }

    private static Path directory(MultipartConfigElement config, Path temporary) throws IOException {
        Path directory = temporary.resolve(config.getLocation());
        if (!Files.isDirectory(directory)) {
            throw new IOException("The location of the MultipartConfig is not a directory: " + directory);
        }
        return directory;
    }

    /** Stores the parts that the parser finds. */
    private final class Storing implements PartSink {
        private final @Nullable SpoolFile file;
        private final ByteAccount disk;
        private final Path directory;
        private final MultipartConfigElement config;

        Storing(@Nullable SpoolFile file, ByteAccount disk, Path directory, MultipartConfigElement config) {
            this.file = file;
            this.disk = disk;
            this.directory = directory;
            this.config = config;
        }

        @Override
        public void begin(PartHeaders headers, long position) throws Violation {
            PartContent content = file == null
                    ? new StoredContent(directory, config.getFileSizeThreshold(), disk, memory)
                    : new RegionContent(file, position);
            StoredPart part = new StoredPart(headers, directory, content);
            memory.reserve(part.bytes());
            parts.add(part);
        }

        @Override
        public void data(byte[] bytes, int offset, int length) throws IOException, Violation {
            StoredPart part = current();
            if (config.getMaxFileSize() >= 0 && part.getSize() + length > config.getMaxFileSize()) {
                throw new Violation(
                        413, "a part exceeds its maximum permitted size of " + config.getMaxFileSize() + " bytes");
            }
            part.append(bytes, offset, length);
        }

        @Override
        public void end() throws IOException {
            current().end();
        }

        private StoredPart current() {
            return parts.get(parts.size() - 1);
        }
    }
}
