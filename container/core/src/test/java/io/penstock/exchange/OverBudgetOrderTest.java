package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When memory is used up, the body that uses the most memory is written to disk first. */
final class OverBudgetOrderTest {
    private static final int CAPACITY = 4096;

    private final UnfinishedBodies bodies;
    private final List<String> spilled = new ArrayList<>();

    OverBudgetOrderTest() throws IOException {
        // This reactor is not started. The test's thread calls the methods that the reactor's thread would call.
        Reactor reactor =
                new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        bodies = new UnfinishedBodies(reactor, new SegmentPool(1024, 20 * 1024), asking -> {});
    }

    private final class Body extends UnfinishedBodies.Entry {
        private final String name;
        private int bytes;

        Body(String name) {
            this.name = name;
        }

        Body useBytes(int now) {
            bytes = now;
            bodies.changed(this);
            return this;
        }

        @Override
        protected int spillable() {
            return bytes;
        }

        @Override
        protected void spill() {
            spilled.add(name);
            useBytes(0);
        }
    }

    private List<String> spillAll() {
        while (bodies.spillLargest()) {
            assertTrue(spilled.size() < 100, "the loop does not end; 100 bodies were written to disk");
        }
        return spilled;
    }

    @Test
    void largerBodiesAreWrittenToDiskBeforeSmallerBodies() {
        new Body("small").useBytes(100);
        new Body("full").useBytes(CAPACITY);
        new Body("little").useBytes(900);
        new Body("half").useBytes(2048);
        assertEquals(List.of("full", "half", "little", "small"), spillAll());
    }

    @Test
    void theBodyWithTheHighestCurrentMemoryUsageIsWrittenToDiskFirst() {
        Body first = new Body("first").useBytes(3000);
        Body second = new Body("second").useBytes(1000);
        second.useBytes(CAPACITY);
        first.useBytes(100);
        assertEquals(List.of("second", "first"), spillAll());
    }

    @Test
    void emptyBodiesAndEndedBodiesAreNotWrittenToDisk() {
        new Body("empty").useBytes(0);
        bodies.remove(new Body("ended").useBytes(500));
        assertFalse(bodies.spillLargest());
        assertEquals(List.of(), spilled);
    }
}
