package io.penstock.limits;

/**
 * Limits on serving files.
 *
 * @param cache the maximum total size, in bytes, of the small files that are cached in memory; 0 for no cache
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
