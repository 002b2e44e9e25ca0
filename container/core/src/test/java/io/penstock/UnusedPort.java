package io.penstock;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a port of the loopback address that no program uses. The ports are in a range that operating systems use neither for outgoing
 * connections nor for listeners with the port 0. So the port stays free, even if other tests open many connections at the same time.
 */
public final class UnusedPort {
    private static final int FIRST = 20_000;

    /** The first port that Linux uses for outgoing connections. The ports of other systems are higher. */
    private static final int END = 32_768;

    private UnusedPort() {}

    public static int next() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                continue; // another program uses the port
            }
        }
    }
}
