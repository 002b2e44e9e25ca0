package io.penstock.loadtest.compare.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** How many files and sockets a process may have open. A JVM raises its own limit to the hard one. */
public final class Descriptors {
    /** What a JVM has open besides sockets: jars, pipes, selectors. */
    private static final int OTHER = 200;

    private static final String LINE = "Max open files";

    private Descriptors() {}

    /**
     * Both sides of a connection need a descriptor, each in its own process.
     *
     * @throws IOException with one line that says what to do, if there are too few for so many connections
     */
    public static void require(int connections) throws IOException {
        Path limits = Path.of("/proc/self/limits");
        if (!Files.isReadable(limits)) {
            return;
        }
        require(connections, Files.readString(limits));
    }

    static void require(int connections, String limits) throws IOException {
        OptionalLong most = hardLimit(limits);
        long needed = (long) connections + OTHER;
        if (most.isPresent() && most.getAsLong() < needed) {
            throw new IOException("Too few file descriptors: " + connections + " connections need " + needed
                    + ", and 'ulimit -Hn' is " + most.getAsLong() + "; raise it, or ask for fewer");
        }
    }

    /** Empty if there is no limit, or none is told. */
    private static OptionalLong hardLimit(String limits) {
        return limits.lines()
                .filter(line -> line.startsWith(LINE))
                .map(line -> line.substring(LINE.length()).strip().split(" +"))
                .filter(columns -> columns.length > 1 && columns[1].matches("[0-9]+"))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .findFirst();
    }
}
