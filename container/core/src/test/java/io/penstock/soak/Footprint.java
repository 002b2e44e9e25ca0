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
 * The threads and descriptors that a server uses in its process. Growth of the descriptors of jar files is ignored.
 *
 * @param descriptors the number of open descriptors by target; empty if the system does not report them
 * @param threads the threads of servers; they are found by their names
 */
public record Footprint(Map<String, Integer> descriptors, Set<Thread> threads) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern OURS = Pattern.compile("(worker|reactor|spool)-\\d+|scheduler|log-writer");

    public static Footprint now() throws IOException {
        Set<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> OURS.matcher(thread.getName()).matches())
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
                    continue; // the descriptor of the stream itself, or a closed descriptor
                }
            }
        }
        return counted;
    }

    /** Returns a target without the number of the socket or the pipe. The names of other files stay unchanged. */
    private static String kind(String target) {
        return target.startsWith("/") ? target : target.replaceAll("\\[?\\d+]?$", "");
    }

    /** Returns the resources that the process uses in addition to {@code then}. The text is empty if there are none. */
    public String grownSince(Footprint then) {
        StringBuilder grown = new StringBuilder();
        descriptors.forEach((kind, count) -> {
            int before = then.descriptors.getOrDefault(kind, 0);
            if (count > before && !kind.endsWith(".jar") && !kind.startsWith("/proc/")) {
                grown.append(count - before).append(" x ").append(kind).append("; ");
            }
        });
        for (Thread thread : threads) {
            if (!then.threads.contains(thread)) {
                grown.append("thread ").append(thread.getName()).append("; ");
            }
        }
        return grown.toString();
    }
}
