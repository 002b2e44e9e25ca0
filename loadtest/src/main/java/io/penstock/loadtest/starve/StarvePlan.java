package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.Fields;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Require;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.starve.StarveExperiment.Bounds;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A picocli mixin: the plan of a search for the number of slow clients at which normal requests fail. */
final class StarvePlan {
    private static final int ALONE_FACTOR = 10;

    @Parameters(
            paramLabel = "URL",
            arity = "0..1",
            description = "URL of normal requests, slow heads and idle connections. With https, every certificate"
                    + " is accepted.")
    @Nullable
    URI url;

    @Option(
            names = "--upload-url",
            paramLabel = "URL",
            description = "URL of slow uploads, also over HTTP/2. Default: URL.")
    @Nullable
    URI uploadUrl;

    @Option(
            names = "--read-url",
            paramLabel = "URL",
            description = "URL of slow readers, also over HTTP/2, with a response of at least 4 MB. Default: URL.")
    @Nullable
    URI readUrl;

    @Option(
            names = "--header",
            paramLabel = "'NAME: VALUE'",
            description = "Header field to send with each request, normal or slow, such as a cookie. Can be repeated.")
    List<String> headers = List.of();

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            description = "Content-Type of slow uploads. Their bodies consist of spaces.",
            defaultValue = "application/octet-stream")
    String contentType = "";

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description = "Kinds of slow clients: ${COMPLETION-CANDIDATES}. Those of HTTP/2 are tried only if you name"
                    + " them. Without TLS, they begin with HTTP/2 (prior knowledge).")
    List<SlowKind> kinds = SlowKind.OF_HTTP_1;

    @Option(names = "--clients", paramLabel = "N", description = "Bound: maximum number of slow clients at a time.")
    int clients = 512;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Bound: total bytes that all slow clients send, such as 500k or 2m.")
    long bytes = 2 << 20;

    @Option(
            names = "--time",
            converter = DurationConverter.class,
            description = "Bound: time from the first slow client to the last, such as 90s or 5m.",
            defaultValue = "5m")
    Duration time = Duration.ofMinutes(5);

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Allow this host, which is not this machine. Write it as in the URL. It must be your own.")
    @Nullable
    String host;

    @Option(
            names = "--deadline",
            converter = DurationConverter.class,
            description = "Time limit for the response to a normal request.",
            defaultValue = "1s")
    Duration deadline = Duration.ofSeconds(1);

    @Option(names = "--requests", paramLabel = "N", description = "Number of normal requests in each step.")
    int requests = 20;

    @Option(names = "--rate", paramLabel = "N", description = "Rate of normal requests, per second.")
    int rate = 50;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Maximum number of connections for normal requests.")
    int connections = 20;

    @Option(names = "--first", paramLabel = "N", description = "Number of slow clients in the first step.")
    int first = 4;

    @Option(names = "--upload-length", paramLabel = "N", description = "Content-Length of a slow upload.")
    int uploadLength = 65_536;

    @Option(names = "--drop", paramLabel = "N", description = "Bytes of a slow upload that are sent at a time.")
    int drop = 1;

    @Option(
            names = "--read",
            paramLabel = "N",
            description = "Bytes that a slow reader reads at a time. A stream of HTTP/2 reads only once.")
    int read = 100;

    @Option(
            names = "--streams",
            paramLabel = "N",
            description = "Streams on each connection of HTTP/2. Each stream counts as a slow client.")
    int streams = 20;

    @Option(
            names = "--pause",
            converter = DurationConverter.class,
            description = "Time between two pieces of a slow upload, or two reads of a slow reader.",
            defaultValue = "1s")
    Duration pause = Duration.ofSeconds(1);

    // The names of hosts are resolved once, so that no name is looked up during a measurement.
    private @Nullable Target normal;
    private @Nullable Target upload;
    private @Nullable Target large;

    /**
     * Checks the options. Called before all other methods.
     *
     * @throws IllegalArgumentException if an option is wrong; the message names it
     */
    void check() {
        if (url == null) {
            throw new IllegalArgumentException("Missing required parameter: 'URL'");
        }
        normal = permitted(url);
        upload = (uploadUrl == null ? normal : permitted(uploadUrl))
                .withField(Fields.Field.ofOption("--content-type", "Content-Type: " + contentType));
        large = readUrl == null ? normal : permitted(readUrl);
        Require.atLeast(1, clients, "--clients");
        Require.atLeast(1, bytes, "--bytes");
        Require.atLeast(1, time.toMillis(), "--time");
        Require.atLeast(1, deadline.toMillis(), "--deadline");
        Require.atLeast(1, requests, "--requests");
        Require.atLeast(1, rate, "--rate");
        Require.atLeast(1, connections, "--connections");
        Require.atLeast(1, first, "--first");
        Require.atLeast(1, uploadLength, "--upload-length");
        Require.atLeast(1, drop, "--drop");
        Require.atLeast(1, read, "--read");
        Require.atLeast(1, streams, "--streams");
        Require.atLeast(1, pause.toMillis(), "--pause");
    }

    private Target normal() {
        return Objects.requireNonNull(normal);
    }

    Target upload() {
        return Objects.requireNonNull(upload);
    }

    Target large() {
        return Objects.requireNonNull(large);
    }

    Bounds.Limits limits() {
        return new Bounds.Limits(clients, bytes, time);
    }

    /** The requests of slow clients of a kind, and their speed. */
    SlowClient.Manner manner(SlowKind kind) {
        Target target = kind.isUpload() ? upload() : kind.isReader() ? large() : normal();
        return new SlowClient.Manner(target, uploadLength, 0, drop, read, Math.toIntExact(pause.toMillis()), streams);
    }

    OpenPlan step() {
        return OpenPlan.ofRequests(Request.get(normal()), rate, requests)
                .withDeadline(deadline)
                .withMaxConnections(connections);
    }

    /** The plan of the normal requests without slow clients. It has more requests than a step. */
    OpenPlan alone() {
        return step().withRequests((long) requests * ALONE_FACTOR);
    }

    /** Whether the URL of normal requests has the scheme {@code https}. The other URLs must have the same scheme. */
    boolean isEncrypted() {
        return "https".equals(Objects.requireNonNull(url).getScheme());
    }

    /** Returns the target of a URL. The host must be this machine, or must be given with {@code --host}. */
    private Target permitted(URI asked) {
        Target target = isEncrypted() ? Target.overTls(asked) : Target.of(asked);
        for (String header : headers) {
            Fields.Field field = Fields.Field.ofOption("--header", header);
            if (field.name().equalsIgnoreCase("Content-Type")) {
                throw new IllegalArgumentException("--header cannot set Content-Type: use --content-type");
            }
            target = target.withField(field);
        }
        if (target.address().getAddress().isLoopbackAddress() || asked.getHost().equalsIgnoreCase(host)) {
            return target;
        }
        throw new IllegalArgumentException(asked.getHost() + " is "
                + target.address().getAddress().getHostAddress()
                + ", not a loopback address of this machine. If the server is yours and may stop answering,"
                + " add --host="
                + asked.getHost());
    }
}
