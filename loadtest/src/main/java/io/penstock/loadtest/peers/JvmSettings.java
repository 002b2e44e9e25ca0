package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The JVM of the servers and its options. All servers have the same settings.
 *
 * @param java the {@code java} command
 * @param heap the value of {@code -Xmx} and {@code -Xms}, such as {@code 512m}; so the heap has this size from the start
 * @param collector the garbage collector: {@code serial}, {@code parallel}, {@code g1}, {@code z} or {@code shenandoah}
 * @param more additional JVM options, such as {@code -XX:+AlwaysPreTouch}
 */
public record JvmSettings(Path java, String heap, String collector, List<String> more) {
    private static final List<String> COLLECTORS = List.of("serial", "parallel", "g1", "z", "shenandoah");

    /** @throws IllegalArgumentException if the value of an option is not valid */
    public JvmSettings {
        more = List.copyOf(more);
        if (!heap.matches("[1-9][0-9]*[kKmMgG]")) {
            throw new IllegalArgumentException("--heap must be a size such as 512m, not " + heap);
        }
        if (!COLLECTORS.contains(collector)) {
            throw new IllegalArgumentException("--gc must be one of " + COLLECTORS + ", not " + collector);
        }
    }

    public JvmSettings(Path java, String heap, String collector) {
        this(java, heap, collector, List.of());
    }

    public JvmSettings with(List<String> options) {
        return new JvmSettings(
                java,
                heap,
                collector,
                Stream.concat(more.stream(), options.stream()).toList());
    }

    /**
     * Returns settings for a smoke test. The servers of a smoke test run only for seconds, so the optimising compiler would cost more time
     * than it saves.
     */
    public JvmSettings forSmokeTest() {
        return with(List.of("-XX:TieredStopAtLevel=1"));
    }

    /** The default settings: a heap of 512 MB, the parallel garbage collector, and the JVM that runs this program. */
    public static JvmSettings defaults() {
        return new JvmSettings(ownJava(), "512m", "parallel");
    }

    public static Path ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    public List<String> options() {
        String name = collector.equals("g1") ? "G1" : capital(collector);
        List<String> options = new ArrayList<>(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+Use" + name + "GC"));
        options.addAll(more);
        return List.copyOf(options);
    }

    /** The size of the heap, in bytes. */
    public long heapBytes() {
        int unit = heap.length() - 1;
        int shift = 10 * (1 + "kmg".indexOf(Character.toLowerCase(heap.charAt(unit))));
        return Long.parseLong(heap.substring(0, unit)) << shift;
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /**
     * The version of a {@code java} command.
     *
     * @param feature the feature version, such as 17, 21 or 25
     * @param text the whole version, such as {@code 21.0.4}
     */
    public record JavaVersion(int feature, String text) {
        private static final Pattern FEATURE = Pattern.compile("java\\.specification\\.version = (\\d+)");
        private static final Pattern TEXT = Pattern.compile("java\\.version = (\\S+)");
        private static final int SECONDS = 20;

        /** Runs the {@code java} command, and returns its version. */
        public static JavaVersion of(Path java) throws ServerFailure, InterruptedException {
            try {
                Process process = new ProcessBuilder(java.toString(), "-XshowSettings:properties", "-version")
                        .redirectErrorStream(true)
                        .start();
                process.getOutputStream().close();
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
                return parse(output);
            } catch (IOException | IllegalArgumentException wrong) {
                throw new ServerFailure("Not a java command: " + java + "; name one with --java", wrong);
            }
        }

        static JavaVersion parse(String output) {
            Matcher feature = FEATURE.matcher(output);
            Matcher text = TEXT.matcher(output);
            if (!feature.find() || !text.find()) {
                throw new IllegalArgumentException("No version is reported");
            }
            return new JavaVersion(Integer.parseInt(feature.group(1)), text.group(1));
        }
    }
}
