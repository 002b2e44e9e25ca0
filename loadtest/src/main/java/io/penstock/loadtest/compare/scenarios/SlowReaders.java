package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.Kind;
import java.net.URI;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options for clients that read slowly; a mixin. */
final class SlowReaders {
    @Option(
            names = "--response-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Bytes of the response that a slow reader asks for, such as 16m.")
    private Long length = 16L << 20;

    @Option(names = "--read", paramLabel = "BYTES", description = "Bytes of it that are read at a time.")
    private int bytes = 100;

    @Option(
            names = "--read-pause",
            defaultValue = "500ms",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between two reads, such as 500ms.")
    private Duration pause = Duration.ZERO;

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    void check() {
        of(Target.of(URI.create("http://127.0.0.1/")));
    }

    long length() {
        return length;
    }

    Kind.Reader of(Target target) {
        return new Kind.Reader(target, bytes, ScenarioCommand.atMostTwoGigabytes(pause.toMillis(), "--read-pause"));
    }
}
