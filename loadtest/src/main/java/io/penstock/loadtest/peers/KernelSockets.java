package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The kernel's resources for all TCP sockets of this machine (proc(5), {@code /proc/net/sockstat}). For a loopback connection, both ends
 * are counted.
 *
 * @param sockets the number of sockets in use
 * @param memoryBytes the memory that the kernel has allocated for the buffers of these sockets, in bytes
 */
public record KernelSockets(long sockets, long memoryBytes) {
    private static final String TCP = "TCP:";
    private static final long PAGE = pageBytes();

    /** @throws ServerFailure if the file {@code /proc/net/sockstat} cannot be read */
    public static KernelSockets now() throws ServerFailure {
        try {
            return parse(Files.readString(Path.of("/proc/net/sockstat")), PAGE);
        } catch (IOException failed) {
            throw new ServerFailure(
                    "Cannot read the kernel's memory for sockets, which only Linux reports: " + failed.getMessage(),
                    failed);
        }
    }

    /** Reads a line such as {@code TCP: inuse 4 orphan 0 tw 3 alloc 5 mem 2}. The unit of {@code mem} is a page of memory. */
    static KernelSockets parse(String sockstat, long page) throws IOException {
        String[] words = sockstat.lines()
                .filter(line -> line.startsWith(TCP))
                .findFirst()
                .orElseThrow(() -> new IOException("no line for " + TCP))
                .substring(TCP.length())
                .strip()
                .split(" +");
        return new KernelSockets(value(words, "inuse"), value(words, "mem") * page);
    }

    private static long value(String[] words, String name) throws IOException {
        for (int i = 0; i + 1 < words.length; i += 2) {
            if (words[i].equals(name)) {
                return Long.parseLong(words[i + 1]);
            }
        }
        throw new IOException("there is no " + name + " of " + TCP);
    }

    /**
     * The size of a page of memory, in bytes. Java has no method for this. The kernel reports the size for each mapping of this process in
     * {@code smaps}.
     */
    private static long pageBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps"))) {
            return lines.filter(line -> line.startsWith("KernelPageSize:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(4096);
        } catch (IOException unknown) {
            // On systems without /proc, this value is not used.
            return 4096;
        }
    }
}
