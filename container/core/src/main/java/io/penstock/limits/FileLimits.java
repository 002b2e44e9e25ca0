package io.penstock.limits;

/**
 * Limits on serving files.
 *
 * @param cache contents of small files kept in memory, all together, in bytes; 0 keeps none
 */
public record FileLimits(long cache) {

    public FileLimits {
        Check.atLeast(Key.FILE_CACHE, cache, 0);
    }

    public static FileLimits defaults() {
        return of(Configuration.defaults());
    }

    static FileLimits of(Configuration given) {
        return new FileLimits(given.bytes(Key.FILE_CACHE));
    }
}
