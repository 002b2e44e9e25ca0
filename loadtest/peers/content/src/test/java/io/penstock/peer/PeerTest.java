package io.penstock.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerTest {
    private static final int SIZE = 1 << 20;

    @Test
    void liveBytesContainTheObjectsThatTheLastCollectionHasFound() {
        System.gc();
        long before = Peer.live();
        byte[] kept = new byte[8 * SIZE];
        System.gc();
        long grown = Peer.live() - before;
        Reference.reachabilityFence(kept);
        // A collector may count the whole regions of a large object.
        assertTrue(grown > 7 * SIZE && grown < 12 * SIZE, () -> grown + " bytes");
    }

    @Test
    void liveBytesDoNotContainWhatThreadsHaveAllocatedSinceTheCollection() {
        System.gc();
        long before = Peer.live();
        List<byte[]> since = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            since.add(new byte[1024]); // small, so that no collection runs meanwhile
        }
        assertEquals(before, Peer.live());
        Reference.reachabilityFence(since);
    }
}
