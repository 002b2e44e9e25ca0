package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.compare.Sessions.LostUpdates;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests how lost changes of a session are counted. Each client changes its own attribute, a shared counter, and a shared counter object
 * that is changed in place.
 */
class LostUpdatesTest {

    @Test
    void noChangeIsCountedAsLostIfTheSessionContainsAllAnsweredChanges() {
        Map<String, Long> found = Map.of("client-0", 50L, "client-1", 50L, "counter", 100L, "in-place", 100L);
        assertEquals(new LostUpdates(100, 0, 0, 0, 0), LostUpdates.of(Map.of(0, 50, 1, 50), 100, 0, found));
    }

    @Test
    void lostChangesOfEachKindAreCountedSeparately() {
        Map<String, Long> found = Map.of("client-0", 47L, "client-1", 50L, "counter", 90L, "in-place", 2L);
        assertEquals(new LostUpdates(100, 0, 3, 10, 98), LostUpdates.of(Map.of(0, 50, 1, 50), 100, 0, found));
    }

    @Test
    void allChangesOfAMissingAttributeAreLost() {
        assertEquals(new LostUpdates(7, 1, 7, 7, 7), LostUpdates.of(Map.of(3, 7), 7, 1, Map.of()));
    }

    /** Only a change with a response can be lost. The session can also contain changes whose requests got no response. */
    @Test
    void changesWithoutAResponseAreNotCountedAsLost() {
        Map<String, Long> found = Map.of("client-0", 5L, "counter", 5L, "in-place", 5L);
        assertEquals(new LostUpdates(4, 1, 0, 0, 0), LostUpdates.of(Map.of(0, 4), 4, 1, found));
    }

    @Test
    void commandsInsideARedisScriptAreNotCountedInAdditionToTheScript() {
        Map<String, Long> before = Map.of("evalsha", 5L, "hget", 5L);
        Map<String, Long> after = Map.of("evalsha", 25L, "hget", 45L, "info", 1L, "ping", 3L);
        Map<String, Long> commands = Sessions.difference(after, before);
        assertEquals(Map.of("evalsha", 20L, "hget", 40L), commands);
        assertEquals(20, Sessions.callsOfClients(commands));
        assertEquals(5, Sessions.callsOfClients(Map.of("hgetall", 2L, "hset", 3L)));
    }
}
