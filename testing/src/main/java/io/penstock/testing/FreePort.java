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
 * Ports for programs that cannot choose one themselves, or that listen at the same one again. Operating systems give none of these to clients,
 * so it stays free while nobody listens. A lock in a file keeps it from other JVMs that run tests beside this one, as long as this one lives.
 */
public final class FreePort {
    private static final int FIRST = 20_000;

    /** Where the ports of clients begin: here with Linux, far beyond with others. */
    private static final int END = 32_768;

    static final Path LOCKS =
            Path.of(System.getProperty("java.io.tmpdir"), "penstock-ports-of-tests-" + System.getProperty("user.name"));

    /** Closed by the end of the JVM. */
    private static final FileChannel FILE = open();

    private FreePort() {}

    private static FileChannel open() {
        try {
            return FileChannel.open(LOCKS, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A port of the loopback address at which nobody listens, each time another one. */
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
            return false; // by this JVM, before
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
