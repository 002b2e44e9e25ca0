package io.penstock.loadtest.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The machine, time and command of a measurement.
 *
 * @param processors the number of processors that this JVM can use
 * @param memory the memory of the machine, in bytes
 * @param penstock the version of Penstock to which this program belongs
 * @param command the command line of the user
 */
public record Environment(
        String cpu,
        int processors,
        long memory,
        String kernel,
        String java,
        String penstock,
        Instant date,
        String command) {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Returns the data of this machine, with the present time. */
    public static Environment of(String command) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Environment(
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                version(Environment.class.getPackage().getImplementationVersion()),
                Instant.now(),
                command);
    }

    /** The data as a list in Markdown, for a report. */
    public String markdown() {
        return "- Machine: " + machine() + "\n"
                + "- Kernel: " + kernel + "\n"
                + "- Java: " + java + "\n"
                + "- Penstock: " + penstock + "\n"
                + "- Date: " + MINUTE.format(date) + "\n"
                + "- Command: `" + command + "`\n";
    }

    /** The data in one line, for the caption of a figure. */
    public String line() {
        return machine() + "; " + kernel + "; " + java + "; Penstock " + penstock + "; " + MINUTE.format(date);
    }

    private String machine() {
        return String.format(
                Locale.ROOT, "%s, %d processors, %.1f GiB of memory", cpu, processors, memory / (double) (1L << 30));
    }

    private static String version(@Nullable String ofJar) {
        return ofJar == null ? "not packaged" : ofJar;
    }

    private static String cpuModel() {
        // Only Linux provides the name of the processor in a file.
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException unknown) {
            return System.getProperty("os.arch");
        }
    }
}
