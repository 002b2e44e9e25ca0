package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.Kind;
import java.net.URI;
import java.time.Duration;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for clients that send request bodies slowly. */
final class SlowUploads {
    @Option(
            names = "--upload-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Content-Length of a slow upload, such as 10m. It must be too long to end within the run.")
    private Long length = 10L << 20;

    @Option(names = "--drop", paramLabel = "BYTES", description = "Bytes that a slow upload sends at a time.")
    private int drop = 1;

    @Option(
            names = "--drop-pause",
            defaultValue = "500ms",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between two pieces of a slow upload, such as 500ms.")
    private Duration pause = Duration.ZERO;

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    void check() {
        to(Target.of(URI.create("http://127.0.0.1/")), 0);
    }

    /** Returns clients whose uploads are slow from the start. */
    Kind.Upload to(Target target) {
        return to(target, 0);
    }

    /** Returns clients that first send {@code first} bytes at once, and then send slowly. */
    Kind.Upload to(Target target, int first) {
        return new Kind.Upload(
                target,
                ScenarioCommand.atMostTwoGigabytes(length, "--upload-size"),
                first,
                drop,
                ScenarioCommand.atMostTwoGigabytes(pause.toMillis(), "--drop-pause"));
    }
}
