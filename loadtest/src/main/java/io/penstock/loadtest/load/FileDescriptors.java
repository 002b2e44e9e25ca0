package io.penstock.loadtest.load;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** Checks the limit of file descriptors: each connection needs one. */
public final class FileDescriptors {
    /** For the selector, jars, result files. */
    private static final int OTHERS = 32;

    /** The JVM's own, jars, selectors, listeners. */
    private static final int OTHERS_OF_A_SERVER = 200;

    private FileDescriptors() {}

    /** @throws IOException with a message for the user if this process may not open so many connections */
    public static void check(int connections) throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        if (system instanceof UnixOperatingSystemMXBean unix) {
            check(connections, unix.getOpenFileDescriptorCount(), unix.getMaxFileDescriptorCount());
        }
    }

    /**
     * The same check for a server that this process starts. The server has the same limit as this process.
     *
     * @param files that the server may hold open for the connections at the same time
     * @throws IOException with a message for the user if the server may not open so many files
     */
    public static void checkServer(int connections, int files) throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        if (system instanceof UnixOperatingSystemMXBean unix) {
            checkServer(connections, files, unix.getMaxFileDescriptorCount());
        }
    }

    static void checkServer(int connections, int files, long most) throws IOException {
        long needed = (long) connections + files + OTHERS_OF_A_SERVER;
        if (needed > most) {
            throw new IOException("A server with " + connections + " connections, with up to " + files
                    + " open files for them, needs " + needed + " file descriptors, but a process may have " + most
                    + ": raise the limit with 'ulimit -n " + needed + "', or use fewer connections");
        }
    }

    static void check(int connections, long open, long most) throws IOException {
        long needed = open + OTHERS + connections;
        if (needed > most) {
            throw new IOException(
                    connections + " connections need " + needed + " file descriptors, but this process may have " + most
                            + ": raise the limit with 'ulimit -n " + needed + "', or use fewer connections");
        }
    }
}
