package io.penstock.loadtest.load;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** Checks whether the limit of file descriptors is high enough. Each connection needs one file descriptor. */
public final class FileDescriptors {
    /** The number of file descriptors that this process needs for the selector, jars and result files. */
    private static final int OTHERS = 32;

    /** The number of file descriptors that a server needs for its JVM, jars, selectors and listening sockets. */
    private static final int OTHERS_OF_A_SERVER = 200;

    private FileDescriptors() {}

    /** @throws IOException with a message for the user if this process cannot open the given number of connections */
    public static void check(int connections) throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        if (system instanceof UnixOperatingSystemMXBean unix) {
            check(connections, unix.getOpenFileDescriptorCount(), unix.getMaxFileDescriptorCount());
        }
    }

    /**
     * Does the same as {@link #check(int)}, for a server that this process starts. The server has the same limit as this process.
     *
     * @param files the maximum number of files that the server has open for the connections at the same time
     * @throws IOException with a message for the user if the limit is too low for the server
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
