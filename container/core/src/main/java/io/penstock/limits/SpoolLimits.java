package io.penstock.limits;

import java.nio.file.Path;

/** Limits on bodies that are stored on disk, in bytes unless stated otherwise. {@link Key} explains the values. */
public record SpoolLimits(Path directory, long limit, long responseLimit, int threads, int queue) {

    static SpoolLimits of(Configuration given) {
        return new SpoolLimits(
                given.file(Key.SPOOL_DIR, "temporary", Path.of(System.getProperty("java.io.tmpdir"))),
                given.bytes(Key.SPOOL_LIMIT),
                given.bytes(Key.RESPONSE_SPOOL_LIMIT),
                given.number(Key.SPOOL_THREADS),
                given.number(Key.SPOOL_QUEUE));
    }
}
