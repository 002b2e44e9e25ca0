package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.peers.ServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is compared with what, where looking at a server is measured. */
class EyesTest {
    private final ServerOptions common = ServerOptions.serving(Path.of("root"));
    private final Map<String, String> closed = Eyes.closed(common).own();

    @Test
    void allOffNamesEverySwitchThatAllOnHas() {
        Map<String, String> open = Eyes.ALL.open(common).own();
        assertEquals(closed.keySet(), open.keySet());
        closed.forEach((key, off) -> assertNotEquals(off, open.get(key), key));
        assertTrue(Eyes.ALL.open(common).jvm().isEmpty());
        assertEquals(Set.of(Onlooker.values()), Eyes.ALL.onlookers());
    }

    @Test
    void eachAloneLeavesTheOthersOff() {
        assertEquals(closed, Eyes.NOTHING.open(common).own());
        Map<String, String> log = Eyes.ACCESS_LOG.open(common).own();
        assertEquals(
                1,
                log.entrySet().stream()
                        .filter(one -> !one.getValue().equals(closed.get(one.getKey())))
                        .count());
        assertEquals(closed, Eyes.RECORDED_JVM.open(common).own());
        assertTrue(Eyes.RECORDED_JVM.open(common).jvm().toString().contains("-XX:StartFlightRecording"));
    }

    @Test
    void onlookersWhoSeeNothingSpoilTheMeasurement() throws Exception {
        int nobody;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = taken.getLocalPort();
        }
        Onlookers onlookers = Onlookers.begin(Set.of(Onlooker.SCRAPES), nobody);
        onlookers.awaitEnd();
        assertThrows(IOException.class, onlookers::close);
    }
}
