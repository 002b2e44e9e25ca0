package io.penstock.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortTest {

    @Test
    void eachPortIsDifferentAndFree() throws Exception {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            int port = FreePort.next();
            ports.add(port);
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        }
        assertEquals(200, ports.size());
    }

    @Test
    void aReservedPortIsNotAvailableToAnotherJvm() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process other = new ProcessBuilder(
                        java.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherJvm.class.getName(),
                        Integer.toString(FreePort.next()))
                .inheritIO()
                .start();
        assertEquals(OtherJvm.IS_RESERVED, other.waitFor());
    }

    static final class OtherJvm {
        static final int IS_RESERVED = 42;

        public static void main(String[] port) throws IOException {
            try (FileChannel file = FileChannel.open(FreePort.LOCKS, StandardOpenOption.WRITE)) {
                System.exit(file.tryLock(Long.parseLong(port[0]), 1, false) == null ? IS_RESERVED : 0);
            }
        }
    }
}
