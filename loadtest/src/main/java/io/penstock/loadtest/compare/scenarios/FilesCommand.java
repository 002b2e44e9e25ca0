package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code compare files} and its options. */
@Command(
        name = "files",
        description = "Measures how fast each server's own default servlet sends files of 10 KB, 1 MB and 100 MB.")
public final class FilesCommand extends ScenarioCommand {
    private static final long SMALL = 10_000;
    private static final long MIDDLE = 1_000_000;
    private static final long LARGE = 100_000_000;
    private static final long SMOKE_LARGE = 5_000_000;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "Number of users that request the 10 KB file at the same time.")
    private int users = 64;

    @Option(
            names = "--users-1m",
            paramLabel = "N",
            description = "Number of users that request the 1 MB file at the same time.")
    private int users1m = 16;

    @Option(
            names = "--users-100m",
            paramLabel = "N",
            description = "Number of users that request the 100 MB file at the same time.")
    private int users100m = 2;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Warm-up time for each file, not measured, such as 3s. Default: 3s.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Measured time for each file and round, such as 5s. Default: 5s.")
    private @Nullable Duration duration;

    @Override
    List<Scenario> scenarios() {
        long large = isSmoke() ? SMOKE_LARGE : LARGE;
        List<FilesScenario.Size> sizes = List.of(
                new FilesScenario.Size("10 KB", SMALL, atLeast(1, users, "--users")),
                new FilesScenario.Size("1 MB", MIDDLE, atLeast(1, users1m, "--users-1m")),
                new FilesScenario.Size(isSmoke() ? "5 MB" : "100 MB", large, atLeast(1, users100m, "--users-100m")));
        return List.of(new FilesScenario(
                sizes,
                size(warmUp, Duration.ofSeconds(3), Duration.ofMillis(200)),
                size(duration, Duration.ofSeconds(5), Duration.ofMillis(500))));
    }
}
