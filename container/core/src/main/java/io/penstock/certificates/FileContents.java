package io.penstock.certificates;

import io.penstock.limits.OperatorFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The contents of the certificate and key files at one moment. Each file is read once. The same bytes are used to detect changes and to
 * load certificates. Modification times of files have no effect.
 */
final class FileContents {
    /** The maximum size of a file. Certificate files are much smaller. Without this limit, a wrong file name could fill the memory. */
    private static final int LARGEST = 16 << 20;

    private final Map<Path, Content> contents;
    private final String version;

    /** The content of one file. */
    private sealed interface Content {}

    private static final class Bytes implements Content {
        final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** @param problem the reason why the file could not be read */
    private record Unread(String problem, IOException cause) implements Content {}

    private FileContents(Map<Path, Content> contents, String version) {
        this.contents = contents;
        this.version = version;
    }

    /** Reads all files. If a file cannot be read, this method throws no exception; {@link #of} throws the exception. */
    static FileContents read(Collection<Path> files) {
        Map<Path, Content> contents = new LinkedHashMap<>();
        MessageDigest digest = sha256();
        for (Path file : files) {
            Content content = content(file);
            contents.put(file, content);
            byte[] bytes = content instanceof Bytes read
                    ? read.bytes
                    : ((Unread) content).problem().getBytes(StandardCharsets.UTF_8);
            String head = content.getClass().getSimpleName() + " " + bytes.length + "\n";
            digest.update(head.getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        }
        return new FileContents(contents, HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static Content content(Path file) {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new IOException("is not a file");
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(LARGEST + 1);
                if (bytes.length > LARGEST) {
                    throw new IOException("is too large for certificates or keys");
                }
                return new Bytes(bytes);
            }
        } catch (AccessDeniedException e) {
            return new Unread("this process may not read it", e);
        } catch (IOException e) {
            return new Unread(OperatorFile.reason(e), e);
        }
    }

    /** @throws TlsSetupException if the file could not be read */
    byte[] of(Path file) throws TlsSetupException {
        Content content = contents.get(file);
        if (content instanceof Bytes read) {
            return read.bytes;
        }
        if (content instanceof Unread unread) {
            throw TlsSetupException.of(file, unread.problem(), unread.cause());
        }
        throw new IllegalArgumentException(file + " has not been read");
    }

    /** Whether the file does not exist. */
    boolean isMissing(Path file) {
        return contents.get(file) instanceof Unread unread && unread.cause() instanceof NoSuchFileException;
    }

    /** Returns a digest of all contents. Two objects with equal contents have the same version. */
    String version() {
        return version;
    }
}
