package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the cache of the real paths of resources. */
class RealPathCacheTest {
    private static final Path HERE = Path.of("here");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 500_000_000); // the clock overflows during the test
    private final RealPathCache cache = new RealPathCache(now::get);

    @Test
    void aPathIsCachedForOneSecond() {
        cache.put("/a", HERE);
        now.addAndGet(999_999_999);
        assertEquals(HERE, cache.get("/a"));
        now.addAndGet(1);
        assertNull(cache.get("/a"));
        cache.put("/a", HERE);
        assertEquals(HERE, cache.get("/a"));
    }

    @Test
    void getReturnsNullForAPathThatIsNotCached() {
        assertNull(cache.get("/a"));
    }

    @Test
    void aFullCacheIsClearedBeforeANewPathIsAdded() {
        for (int i = 0; i < 4096; i++) {
            cache.put("/" + i, HERE);
        }
        assertEquals(HERE, cache.get("/0"));
        cache.put("/one more", HERE);
        assertNull(cache.get("/0"));
        assertEquals(HERE, cache.get("/one more"));
    }
}
