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
 * What a server takes of the process that it lives in: its threads, and the descriptors that are no jar of the class path.
 *
 * @param descriptors by what they are; empty where the system does not tell
 * @param threads of a server, by name
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
                    continue; // the stream's own, or closed in between
                }
            }
        }
        return counted;
    }

    /** Sockets and pipes have numbers, which do not matter; other files do. */
    private static String kind(String target) {
        return target.startsWith("/") ? target : target.replaceAll("\\[?\\d+]?$", "");
    }

    /** What is there now and was not there then, or an empty text. */
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
