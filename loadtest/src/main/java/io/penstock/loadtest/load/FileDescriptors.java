package io.penstock.loadtest.load;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** Each connection needs a file descriptor, and a process has only so many. */
public final class FileDescriptors {
    /** For the selector, jars, result files. */
    private static final int OTHERS = 32;

    private FileDescriptors() {}

    /** @throws IOException with a message for the user if this process may not open so many connections */
    public static void check(int connections) throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        if (system instanceof UnixOperatingSystemMXBean unix) {
            check(connections, unix.getOpenFileDescriptorCount(), unix.getMaxFileDescriptorCount());
        }
    }

    static void check(int connections, long open, long most) throws IOException {
        long needed = open + OTHERS + connections;
        if (needed > most) {
            throw new IOException(
                    connections + " connections need " + needed + " file descriptors, and this process may have " + most
                            + ": allow it more with 'ulimit -n " + needed + "', or ask for fewer connections");
        }
    }
}
