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
 * Finds free ports for programs that cannot choose a free port themselves, or that listen on the same port twice. The ports are in a range
 * that operating systems do not use for outgoing connections. So no outgoing connection takes a free port. A file lock reserves a port
 * until the end of this JVM. So other JVMs that run tests get different ports.
 */
public final class FreePort {
    private static final int FIRST = 20_000;

    /** The first port that Linux uses for outgoing connections. The ports of other systems are higher. */
    private static final int END = 32_768;

    static final Path LOCKS =
            Path.of(System.getProperty("java.io.tmpdir"), "penstock-ports-of-tests-" + System.getProperty("user.name"));

    /** The file with the locks. The file is open until the JVM ends. */
    private static final FileChannel FILE = open();

    private FreePort() {}

    private static FileChannel open() {
        try {
            return FileChannel.open(LOCKS, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Returns a port of the loopback address on which no program listens. Each call returns a different port. */
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
            // This JVM already has the lock.
            return false;
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
