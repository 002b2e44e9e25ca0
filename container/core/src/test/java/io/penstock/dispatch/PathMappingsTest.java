package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.penstock.work.Mapping;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathMappingsTest {
    private long now;
    private final PathMappings byPath = new PathMappings("/shop dispatcher", true, () -> now);

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

    /** A path that hangs right after the start must not stop the others. */
    @Test
    void aPathHasAMappingOfItsOwnBeforeItsFirstResponse() {
        Mapping hangs = byPath.of("/hang");
        assertNotSame(hangs, byPath.of("/hello"));
        assertSame(hangs, byPath.of("/hang"));
        byPath.answered("/hang", 404);
        assertSame(hangs, byPath.of("/hang"));
        assertSame(hangs, learned("/hang"), "running requests count for the same mapping");
    }

    /** The reactor chooses the mappings of all requests of its round, then hands the requests over. */
    @Test
    void pathsOfOneRoundGetFewMappings() {
        Set<Mapping> chosen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            chosen.add(byPath.of("/invented" + i));
        }
        assertEquals(9, chosen.size());
    }

    @Test
    void identifiersInPathsWithoutAResponseAreOneKindOfPath() {
        Mapping orders = byPath.of("/orders/17/items");
        assertSame(orders, byPath.of("/orders/1000000/items"));
        assertSame(orders, byPath.of("/orders/0a3bf2f0-8c1e-4d7a-9a52-7d3f8e1c2b4a/items"));
        assertEquals("/shop dispatcher /orders/*/items", orders.name());
    }

    /** A filter of the application asks for a login before the application looks for the path. */
    @ParameterizedTest
    @ValueSource(ints = {302, 401, 403, 405})
    void inventedPathsThatAFilterAnswersLeaveKnownPathsApart(int status) {
        Mapping report = learned("/report");
        Mapping health = learned("/health");
        for (int i = 0; i < 100; i++) {
            byPath.answered("/invented" + i, status);
        }
        assertSame(report, byPath.of("/report"));
        assertSame(health, byPath.of("/health"));
    }

    @Test
    void aPathBelowAKnownPathIsUnknown() {
        assertNotSame(learned("/a"), byPath.of("/a/b"));
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

    /** Otherwise a client could make the server keep 256 paths of eight kilobytes. */
    @Test
    void ofALongSegmentOnlyTheBeginningIsKept() {
        String begin = "x".repeat(100);
        Mapping one = learned("/" + begin + "a");
        assertSame(one, learned("/" + begin + "b"));
        assertEquals("/shop dispatcher /" + begin, one.name());
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
        Mapping notLearned = learned("/1/1/a");
        assertSame(notLearned, learned("/1/1/a"));
        now += TimeUnit.SECONDS.toNanos(1);
        for (int i = 0; i < 20; i++) {
            byPath.of("/unknown" + i);
        }
        assertNotSame(notLearned, byPath.of("/1/1/a"), "others are on trial now");
        // A further value makes one mapping of many, so that new paths can be learned.
        Mapping every = learned("/1/16");
        for (int i = 0; i < 20; i++) {
            byPath.of("/unknown" + i);
        }
        assertSame(every, byPath.of("/1/16"));
    }

    @Test
    void theRootHasAMapping() {
        assertEquals("/shop dispatcher /", learned("/").name());
        assertSame(byPath.of("/"), byPath.of(""));
    }
}
