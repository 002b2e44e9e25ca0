package io.penstock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairRoomTest {
    private final FairRoom<Integer> room = new FairRoom<>(8);

    private List<Integer> add(int key, String address, int size) throws UnknownHostException {
        return room.add(key, InetAddress.getByName(address), size);
    }

    @Test
    void theOldestThingsGoIfTheRoomIsFull() throws Exception {
        for (int i = 0; i < 8; i++) {
            assertEquals(List.of(), add(i, "192.0.2." + i, 1));
        }
        assertEquals(List.of(0), add(8, "192.0.2.8", 1));
        assertEquals(List.of(1, 2), add(9, "192.0.2.9", 2));
        assertFalse(room.has(2));
        assertTrue(room.has(3));
        assertEquals(7, room.count());
    }

    @Test
    void oneAddressTakesAQuarterOfTheRoom() throws Exception {
        assertEquals(List.of(), add(0, "192.0.2.1", 1));
        assertEquals(List.of(), add(1, "192.0.2.2", 1));
        assertEquals(List.of(), add(2, "192.0.2.2", 1));
        assertEquals(List.of(1), add(3, "192.0.2.2", 1));
        assertEquals(List.of(2), add(4, "192.0.2.2", 1));
        assertTrue(room.has(0));
    }

    @Test
    void theClientsOfOneIpv6NetworkShareTheirPart() throws Exception {
        assertEquals(List.of(), add(1, "2001:db8::1", 1));
        assertEquals(List.of(), add(2, "2001:db8::2", 1));
        assertEquals(List.of(1), add(3, "2001:db8::3", 1));
        assertEquals(List.of(), add(4, "2001:db8:1::4", 1));
    }

    @Test
    void clientsWithoutAnAddressShareTheirPart() {
        assertEquals(List.of(), room.add(1, null, 1));
        assertEquals(List.of(), room.add(2, null, 1));
        assertEquals(List.of(1), room.add(3, null, 1));
    }

    @Test
    void oneThingOfAnAddressMayBeLargerThanItsPart() throws Exception {
        assertEquals(List.of(), add(1, "192.0.2.1", 1));
        assertEquals(List.of(1), add(2, "192.0.2.1", 8));
        assertEquals(List.of(2), add(3, "192.0.2.2", 1));
    }

    @Test
    void aThingThatIsLargerThanTheRoomDoesNotRemoveOthers() throws Exception {
        assertEquals(List.of(), add(1, "192.0.2.1", 1));
        assertEquals(List.of(2), add(2, "192.0.2.2", 9));
        assertEquals(1, room.count());
    }

    @Test
    void aRemovedThingTakesNoRoom() throws Exception {
        for (int i = 0; i < 100; i++) {
            assertEquals(List.of(), add(i, "192.0.2.1", 2));
            assertTrue(room.remove(i));
            assertFalse(room.remove(i));
        }
        assertEquals(0, room.count());
    }
}
