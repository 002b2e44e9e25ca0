package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class KernelSocketsTest {
    @Test
    void theSocketMemoryIsConvertedFromPagesToBytes() throws IOException {
        String sockstat = "sockets: used 20\nTCP: inuse 18 orphan 0 tw 13302 alloc 21 mem 300\nUDP: inuse 7 mem 9\n";
        assertEquals(
                new ProcessAccount.KernelSockets(18, 300 * 4096), ProcessAccount.KernelSockets.parse(sockstat, 4096));
    }

    @Test
    void aMissingValueCausesAnException() {
        assertThrows(IOException.class, () -> ProcessAccount.KernelSockets.parse("UDP: inuse 7 mem 9\n", 4096));
        assertThrows(IOException.class, () -> ProcessAccount.KernelSockets.parse("TCP: inuse 7 orphan 0\n", 4096));
    }

    @Test
    void theSocketsOfThisMachineAreCounted() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertTrue(ProcessAccount.KernelSockets.now().sockets() >= 1, one.toString());
        }
    }
}
