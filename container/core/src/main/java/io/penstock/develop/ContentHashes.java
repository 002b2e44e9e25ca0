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
 * Hashes the contents of files. A file is read again if its state has changed, or if it was last read soon after a change. A second change
 * could then have the same modification time.
 *
 * <p>Thread: one.
 */
final class ContentHashes {
    /** The longest step of modification times in file systems with fine times. */
    private static final Duration STEP = Duration.ofMillis(20);

    /** The longest step in file systems with times in whole seconds; some use only even seconds. */
    private static final Duration LONG_STEP = Duration.ofSeconds(2);

    private final InstantSource wallClock;
    private Map<String, Known> known = Map.of();

    private record Known(FileState state, String hash, Instant readAt) {

        /** Whether every change after the reading changes the file's state. */
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
     * The hashes of these files, by their places.
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

    /** Whether these states prove, without reading files, that no file has changed since the last call of {@link #of}. */
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
