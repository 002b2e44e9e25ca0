package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.Kind;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for clients that read responses slowly. */
final class SlowReaders {
    @Option(
            names = "--response-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of the response to a slow reader, such as 16m. Default: 16m in slow-read, else 1m.")
    private @Nullable Long length;

    @Option(names = "--read", paramLabel = "BYTES", description = "Bytes that a slow reader reads at a time.")
    private int bytes = 500;

    @Option(
            names = "--read-pause",
            defaultValue = "500ms",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between two reads of a slow reader, such as 500ms.")
    private Duration pause = Duration.ZERO;

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    void check() {
        of(Target.of(URI.create("http://127.0.0.1/")));
    }

    /** @param otherwise the length to return if the user has not given the option */
    long length(long otherwise) {
        return length == null ? otherwise : length;
    }

    Kind.Reader of(Target target) {
        return new Kind.Reader(target, bytes, ScenarioCommand.atMostTwoGigabytes(pause.toMillis(), "--read-pause"));
    }
}
