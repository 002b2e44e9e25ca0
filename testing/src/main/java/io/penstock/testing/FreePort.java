package io.penstock.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for programs that cannot choose a free port themselves, or that listen on the same port twice. Operating systems do not assign
 * these ports to clients, so a port stays free while no program listens on it. Until this JVM ends, a file lock reserves the port
 * against other JVMs that run tests.
 */
public final class FreePort {
    private static final int FIRST = 20_000;

    /** The first port that Linux assigns to clients. Other systems begin far above it. */
    private static final int END = 32_768;

    static final Path LOCKS =
            Path.of(System.getProperty("java.io.tmpdir"), "penstock-ports-of-tests-" + System.getProperty("user.name"));

    /** Stays open until the JVM ends. */
    private static final FileChannel FILE = open();

    private FreePort() {}

    private static FileChannel open() {
        try {
            return FileChannel.open(LOCKS, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Returns a port of the loopback address on which no program listens, a different one at each call. */
    public static int next() throws IOException {
        int begin = ThreadLocalRandom.current().nextInt(FIRST, END);
        for (int i = 0; i < END - FIRST; i++) {
            int port = FIRST + (begin - FIRST + i) % (END - FIRST);
            if (isReserved(port) && isFree(port)) {
                return port;
            }
        }
        throw new BindException("all ports from " + FIRST + " to " + (END - 1) + " are in use");
    }

    private static boolean isReserved(int port) throws IOException {
        try {
            return FILE.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false; // this JVM has the lock already
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        }
    }
}
