package io.penstock.soak;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The threads of all servers in this process, and the open file descriptors of the process. {@link #grownSince} ignores the descriptors of
 * jar files.
 *
 * @param descriptors the number of open descriptors for each target; empty if the system does not list descriptors
 * @param threads the threads of servers, selected by their names
 */
public record Footprint(Map<String, Integer> descriptors, Set<Thread> threads) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern SERVER_THREADS = Pattern.compile("(worker|reactor|spool)-\\d+|scheduler|log-writer");

    public static Footprint now() throws IOException {
        Set<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> SERVER_THREADS.matcher(thread.getName()).matches())
                .collect(Collectors.toSet());
        return new Footprint(descriptorsNow(), threads);
    }

    private static Map<String, Integer> descriptorsNow() throws IOException {
        Map<String, Integer> counted = new TreeMap<>();
        if (!Files.isDirectory(DESCRIPTORS)) {
            return counted;
        }
        try (DirectoryStream<Path> open = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : open) {
                try {
                    String kind = kind(Files.readSymbolicLink(descriptor).toString());
                    counted.merge(kind, 1, Integer::sum);
                } catch (NoSuchFileException e) {
                    continue; // the descriptor was closed after it had been listed
                }
            }
        }
        return counted;
    }

    /** Returns the target of a descriptor. The number of a socket or a pipe is removed, and the path of a file stays unchanged. */
    private static String kind(String target) {
        return target.startsWith("/") ? target : target.replaceAll("\\[?\\d+]?$", "");
    }

    /** Describes the resources in this footprint that {@code earlier} does not contain. Returns an empty text if there are none. */
    public String grownSince(Footprint earlier) {
        StringBuilder grown = new StringBuilder();
        descriptors.forEach((kind, count) -> {
            int before = earlier.descriptors.getOrDefault(kind, 0);
            if (count > before && !kind.endsWith(".jar") && !kind.startsWith("/proc/")) {
                grown.append(count - before).append(" x ").append(kind).append("; ");
            }
        });
        for (Thread thread : threads) {
            if (!earlier.threads.contains(thread)) {
                grown.append("thread ").append(thread.getName()).append("; ");
            }
        }
        return grown.toString();
    }
}
