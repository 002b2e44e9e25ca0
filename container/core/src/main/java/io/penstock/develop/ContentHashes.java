package io.penstock.develop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Hashes the contents of files. A file is read again if its {@link FileState} has changed. It is also read again if the last reading was
 * soon after a change. In this case, a second change can have the same modification time as the first.
 *
 * <p>Thread: one thread at a time.
 */
final class ContentHashes {
    /** The coarsest resolution of modification times on file systems that store fractions of seconds. */
    private static final Duration STEP = Duration.ofMillis(20);

    /**
     * The coarsest resolution of modification times on file systems that store whole seconds. Some of these file systems have a resolution
     * of two seconds.
     */
    private static final Duration LONG_STEP = Duration.ofSeconds(2);

    private final InstantSource wallClock;
    private Map<String, Known> known = Map.of();

    private record Known(FileState state, String hash, Instant readAt) {

        /** Whether every change after the reading gives the file another {@link FileState}. */
        boolean isSettled() {
            Instant changed = state.changed().toInstant();
            boolean wholeSeconds = changed.equals(changed.truncatedTo(ChronoUnit.SECONDS));
            return changed.plus(wholeSeconds ? LONG_STEP : STEP).isBefore(readAt);
        }
    }

    ContentHashes(InstantSource wallClock) {
        this.wallClock = wallClock;
    }

    /**
     * The hashes of the files. The keys are those of {@code files}.
     *
     * @throws IOException if a file cannot be read, for example because it has been deleted
     */
    SortedMap<String, String> of(Map<String, FileState> files) throws IOException {
        Map<String, Known> now = new HashMap<>();
        SortedMap<String, String> hashes = new TreeMap<>();
        for (Map.Entry<String, FileState> file : files.entrySet()) {
            Known before = known.get(file.getKey());
            Known read = isCurrent(before, file.getValue()) ? Objects.requireNonNull(before) : read(file.getValue());
            now.put(file.getKey(), read);
            hashes.put(file.getKey(), read.hash());
        }
        known = now;
        return hashes;
    }

    /**
     * Whether no file has changed since the last call of {@link #of}. Only the states are compared, and no file is read. Returns false if
     * the states do not suffice for a decision.
     */
    boolean areCurrent(Map<String, FileState> files) {
        return files.size() == known.size()
                && files.entrySet().stream().allMatch(file -> isCurrent(known.get(file.getKey()), file.getValue()));
    }

    private static boolean isCurrent(@Nullable Known before, FileState state) {
        return before != null && before.state().equals(state) && before.isSettled();
    }

    private Known read(FileState state) throws IOException {
        Instant readAt = wallClock.instant();
        return new Known(state, hash(state.file()), readAt);
    }

    private static String hash(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digested = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digested.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digested.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
