package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RealPathCacheTest {
    private static final Path HERE = Path.of("here");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 500_000_000); // the clock overflows during the test
    private final RealPathCache places = new RealPathCache(now::get);

    @Test
    void aPathIsCachedForOneSecond() {
        places.put("/a", HERE);
        now.addAndGet(999_999_999);
        assertEquals(HERE, places.get("/a"));
        now.addAndGet(1);
        assertNull(places.get("/a"));
        places.put("/a", HERE);
        assertEquals(HERE, places.get("/a"));
    }

    @Test
    void aMissingPathIsNotCached() {
        assertNull(places.get("/a"));
    }

    @Test
    void aFullCacheIsCleared() {
        for (int i = 0; i < 4096; i++) {
            places.put("/" + i, HERE);
        }
        assertEquals(HERE, places.get("/0"));
        places.put("/one more", HERE);
        assertNull(places.get("/0"));
        assertEquals(HERE, places.get("/one more"));
    }
}
