package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.penstock.work.Mapping;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PathMappingsTest {
    private final PathMappings byPath = new PathMappings("/shop dispatcher", true);

    private Mapping learned(String path) {
        byPath.answered(path, 200);
        return byPath.of(path);
    }

    @Test
    void aServletThatDoesNotServeManyPathsHasOneMapping() {
        PathMappings one = new PathMappings("/shop orders", false);
        one.answered("/a", 200);
        assertSame(one.of("/a"), one.of("/b"));
    }

    @Test
    void eachKnownPathHasAMapping() {
        Mapping report = learned("/api/v1/report");
        Mapping health = learned("/api/v1/health");
        assertNotSame(report, health);
        assertSame(report, byPath.of("/api/v1/report"));
        assertEquals("/shop dispatcher /api/v1/report", report.name());
    }

    @Test
    void pathsThatAreUnknownOrAnswered404ShareAMapping() {
        Mapping unknown = byPath.of("/a");
        byPath.answered("/a", 404);
        assertSame(unknown, byPath.of("/a"));
        assertSame(unknown, byPath.of("/b/c/d"));
        assertNotSame(unknown, learned("/a"));
    }

    @Test
    void aPathBelowAKnownPathIsUnknown() {
        learned("/a");
        assertSame(byPath.of("/unknown"), byPath.of("/a/b"));
    }

    @Test
    void aSegmentWithManyValuesIsOneKindOfPath() {
        Set<Mapping> first = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            first.add(learned("/orders/" + i + "/items"));
        }
        assertEquals(16, first.size());
        Mapping every = learned("/orders/16/items");
        assertEquals("/shop dispatcher /orders/*/items", every.name());
        assertSame(every, byPath.of("/orders/3/items"));
        assertSame(every, byPath.of("/orders/1000000/items"));
    }

    @Test
    void theFifthSegmentMakesNoDifference() {
        assertSame(learned("/a/b/c/d/e"), byPath.of("/a/b/c/d/f"));
    }

    @Test
    void anApplicationHasABoundedNumberOfMappings() {
        Set<Mapping> all = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            for (int j = 0; j < 16; j++) {
                all.add(learned("/" + i + "/" + j));
            }
        }
        assertEquals(256, all.size());
        assertSame(byPath.of("/unknown"), learned("/1/1/1"));
        // A further value makes one mapping of many, so that new paths can be learned.
        assertNotSame(byPath.of("/unknown"), learned("/1/16"));
    }

    @Test
    void theRootHasAMapping() {
        assertEquals("/shop dispatcher /", learned("/").name());
        assertSame(byPath.of("/"), byPath.of(""));
    }
}
