package io.penstock.loadtest.run;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Fields;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.Load.Progress;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.Chart.Axis;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.ResultFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code loadtest run}: its options, and the execution of the load. */
@Command(
        name = "run",
        description = {
            "Sends requests to one URL, and reports rate and latency of the responses. Uses one thread.",
            "",
            "A closed loop (--users) has a fixed number of users. Each waits for a response before its next"
                    + " request. It measures the capacity of the server.",
            "An open loop (--rate) sends requests at a constant rate, independent of the responses. It"
                    + " measures the latency at this rate.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured; the table includes errors of the server",
            "2:an option is invalid",
            "3:not measured: no response, or too few file descriptors"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  loadtest run http://localhost:8080/ --users=64",
            "      64 users without pauses, for 10 s after 2 s of warm-up",
            "  loadtest run http://localhost:8080/ --users=2000 --ramp-up=2s --think=500ms --duration=1m",
            "      2000 users, started within 2 s; each pauses 500 ms between a response and the next request",
            "  loadtest run http://localhost:8080/ --rate=1000 --deadline=2s --chart=latency.svg",
            "      1000 requests per second; time limit 2 s; also draws the latency curve",
            "  loadtest run http://localhost:8080/upload --body-size=10k --chunked --header='X-Trial: 7'"
                    + " --json=run.json",
            "      uploads of 10 KiB in chunks; also writes the result as JSON"
        })
public final class RunCommand implements Callable<Integer> {
    private static final int MEASURED = 0;
    private static final int NOT_MEASURED = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final RequestOptions requestOptions = new RequestOptions();

    @Mixin
    private final LoadOptions loadOptions = new LoadOptions();

    @Mixin
    private final ResultFiles files = new ResultFiles();

    @Option(
            names = "--chart",
            paramLabel = "FILE",
            description = "Also draw latency by percentile into this file (.svg or .png).")
    private @Nullable Path chart;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Request request = checkedRequest();
        FileDescriptors.check(loadOptions.mostConnections());
        ClientSettings settings = ClientSettings.defaults()
                .withMaxConnections(loadOptions.mostConnections())
                .withConnectTimeout(loadOptions.connectTimeout());
        try (ClientLoop loop = ClientLoop.start(settings)) {
            OpenLoop.checkReachable(loop, request, loadOptions.deadline());
            return measure(loop, request);
        }
    }

    private Request checkedRequest() {
        try {
            Request request = requestOptions.request();
            loadOptions.check(request);
            files.check();
            if (chart != null) {
                Chart.checkName(chart);
                ResultFiles.checkWritable("--chart", chart);
            }
            return request;
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command().commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private int measure(ClientLoop loop, Request request) throws IOException, InterruptedException {
        PrintWriter out = command().commandLine().getOut();
        Load load = loadOptions.on(loop, request);
        // This object is closed when everything is printed and written. Before that, Ctrl-C stops the load but does not
        // end the process.
        try (Interruption interruption = new Interruption(load::stop)) {
            Environment environment = Environment.of(CommandLineUsed.of(command()));
            PrintWriter err = command().commandLine().getErr();
            LoadResult result = new ProgressLine(err, loadOptions.duration()).await(load);
            RunReport report = new RunReport(
                    environment, request.toString(), loadOptions.describe(), loadOptions.record(), result);
            out.println(request + ": " + loadOptions.describe());
            if (interruption.happened()) {
                out.println("Interrupted. Measured until then:");
            }
            out.println();
            out.print(report.table().text());
            out.println(report.client());
            if (!result.firstTrouble().isEmpty()) {
                out.println("First error: " + result.firstTrouble());
            }
            out.flush();
            files.save(report.json(), report.table());
            if (chart != null && result.answered() > 0) {
                report.chart().save(chart);
            }
            return verdict(result, err);
        }
    }

    private static int verdict(LoadResult result, PrintWriter err) {
        if (result.answered() + result.non2xx() > 0) {
            return MEASURED;
        }
        err.println("loadtest: no response in the measured time"
                + (result.firstTrouble().isEmpty() ? "; try a longer --duration" : ": " + result.firstTrouble()));
        return NOT_MEASURED;
    }

    private CommandSpec command() {
        return Objects.requireNonNull(spec);
    }

    /** Prints the progress of a load every second until the load has ended. Thread: the thread that waits for the result. */
    static final class ProgressLine {
        private final PrintWriter err;
        private final Duration duration;
        private Progress last = new Progress(Duration.ZERO, 0, 0, 0);

        ProgressLine(PrintWriter err, Duration duration) {
            this.err = err;
            this.duration = duration;
        }

        LoadResult await(Load load) throws IOException, InterruptedException {
            CompletableFuture<LoadResult> result = load.start();
            try {
                while (!isOver(result)) {
                    tell(load.progress()
                            .completeOnTimeout(last, 1, TimeUnit.SECONDS)
                            .get());
                }
                return result.get();
            } catch (ExecutionException failed) {
                Throwable cause = failed.getCause() == null ? failed : failed.getCause();
                throw new IOException(cause.getMessage(), failed);
            }
        }

        /** Waits for one second, or until the load has ended. Returns whether the load has ended. */
        private static boolean isOver(CompletableFuture<LoadResult> result)
                throws InterruptedException, ExecutionException {
            try {
                result.get(1, TimeUnit.SECONDS);
                return true;
            } catch (TimeoutException running) {
                return false;
            }
        }

        private void tell(Progress now) {
            double seconds = now.elapsed().minus(last.elapsed()).toNanos() / 1e9;
            if (now.elapsed().isZero() || seconds <= 0) {
                err.println("warming up");
            } else {
                err.println(String.format(
                        Locale.ROOT,
                        "%3d s of %d s: %,.0f requests/s; so far %,d non-2xx, %,d failed",
                        Math.round(now.elapsed().toMillis() / 1e3),
                        duration.toSeconds(),
                        (now.answered() - last.answered()) / seconds,
                        now.non2xx(),
                        now.failed()));
            }
            err.flush();
            last = now;
        }
    }

    /** A picocli mixin: the options for the requests to send. */
    static final class RequestOptions {
        @Parameters(paramLabel = "URL", description = "URL to request, such as http://localhost:8080/hello.")
        private @Nullable URI url;

        @Option(
                names = "--method",
                paramLabel = "NAME",
                description = "Method of the request. Default: GET, or POST if the request has a body.")
        private @Nullable String method;

        @Option(
                names = "--header",
                paramLabel = "'NAME: VALUE'",
                description = "Header field to send with each request. Can be repeated.")
        private List<String> headers = List.of();

        @Option(
                names = "--body-size",
                paramLabel = "SIZE",
                converter = SizeConverter.class,
                description = "Size of the request body in bytes, such as 500, 16k or 10m.")
        private @Nullable Long bodySize;

        @Option(names = "--chunked", description = "Send the body in chunks, without Content-Length.")
        private boolean chunked;

        /** @throws IllegalArgumentException if an option is wrong */
        Request request() {
            Request request = Request.of(method(), Target.of(Objects.requireNonNull(url)));
            for (String header : headers) {
                Fields.Field field = Fields.Field.ofOption("--header", header);
                request = request.withField(field.name(), field.value());
            }
            return withBody(request);
        }

        private String method() {
            if (method != null) {
                return method;
            }
            return bodySize == null ? "GET" : "POST";
        }

        private Request withBody(Request request) {
            if (bodySize == null) {
                if (chunked) {
                    throw new IllegalArgumentException("--chunked needs --body-size");
                }
                return request;
            }
            return chunked ? request.withZerosInChunks(bodySize) : request.withZeros(bodySize);
        }
    }

    /** A picocli mixin: the options for the amount and the duration of the load. */
    static final class LoadOptions {
        private static final int DEFAULT_USERS = 10;
        private static final int DEFAULT_CONNECTIONS = 256;

        @Option(
                names = "--users",
                paramLabel = "N",
                description = "Closed loop: number of users. Each user keeps one connection open, and waits for a"
                        + " response before its next request. Default: " + DEFAULT_USERS + ".")
        private @Nullable Integer users;

        @Option(
                names = "--think",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Closed loop: a user's pause between a response and the next request, such as"
                        + " 10ms. Default: 0.")
        private @Nullable Duration think;

        @Option(
                names = "--ramp-up",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Closed loop: time in which the users start, one after the other, such as 2s."
                        + " Default: 0, all at once.")
        private @Nullable Duration rampUp;

        @Option(
                names = "--pipeline",
                paramLabel = "N",
                description = "Closed loop: number of requests that a user sends before it waits for their"
                        + " responses. Default: 1.")
        private @Nullable Integer pipeline;

        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Open loop: request rate, per second, independent of the responses. Latency is"
                        + " measured from the time at which a request was due, so it includes pauses of the"
                        + " server.")
        private @Nullable Double rate;

        @Option(
                names = "--connections",
                paramLabel = "N",
                description = "Open loop: maximum number of open connections. If none is free, a request waits;"
                        + " its latency includes this wait. Default: " + DEFAULT_CONNECTIONS + ".")
        private @Nullable Integer connections;

        @Option(
                names = "--warm-up",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Warm-up time, not measured, such as 500ms or 5s. Default: 2s.")
        private Duration warmUp = Duration.ofSeconds(2);

        @Option(
                names = "--duration",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Measured time, such as 10s or 2m. Default: 10s.")
        private Duration duration = Duration.ofSeconds(10);

        @Option(
                names = "--deadline",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Time limit for a response, such as 1s. After it the request counts as timed out,"
                        + " and its connection is closed. Default: 10s.")
        private Duration deadline = Duration.ofSeconds(10);

        @Option(
                names = "--connect-timeout",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Time limit for opening a connection, such as 1s. Default: 10s.")
        private Duration connectTimeout = Duration.ofSeconds(10);

        Duration deadline() {
            return deadline;
        }

        Duration connectTimeout() {
            return connectTimeout;
        }

        Duration duration() {
            return duration;
        }

        int mostConnections() {
            return rate == null ? orElse(users, DEFAULT_USERS) : orElse(connections, DEFAULT_CONNECTIONS);
        }

        /** @throws IllegalArgumentException if an option is wrong, or two options cannot be combined */
        void check(Request request) {
            if (connectTimeout.isZero()) {
                throw new IllegalArgumentException("--connect-timeout must be more than 0");
            }
            if (rate == null) {
                refuse(connections, "--connections", "an open loop: add --rate, or use --users");
                var unused = closed(request);
            } else {
                refuse(users, "--users", "a closed loop: remove it or --rate");
                refuse(think, "--think", "a closed loop: remove it or --rate");
                refuse(rampUp, "--ramp-up", "a closed loop: remove it or --rate");
                refuse(pipeline, "--pipeline", "a closed loop: remove it or --rate");
                var unused = open(request, rate);
            }
        }

        Load on(ClientLoop loop, Request request) {
            return rate == null ? new ClosedLoop(loop, closed(request)) : new OpenLoop(loop, open(request, rate));
        }

        String describe() {
            String time = ", measured " + DurationConverter.text(duration) + " after " + DurationConverter.text(warmUp)
                    + " of warm-up";
            if (rate != null) {
                return "open loop, " + Axis.plain(rate) + " requests per second over at most " + mostConnections()
                        + " connections" + time;
            }
            StringBuilder text =
                    new StringBuilder("closed loop, ").append(mostConnections()).append(" users");
            if (think != null) {
                text.append(", think ").append(DurationConverter.text(think));
            }
            if (pipeline != null) {
                text.append(", ").append(pipeline).append(" requests pipelined");
            }
            return text.append(time).toString();
        }

        /** The load as a map for JSON. Times are written in seconds. */
        Map<String, Object> record() {
            Map<String, Object> record = new LinkedHashMap<>();
            record.put("loop", rate == null ? "closed" : "open");
            if (rate == null) {
                record.put("users", mostConnections());
                record.put("think", orElse(think, Duration.ZERO));
                record.put("rampUp", orElse(rampUp, Duration.ZERO));
                record.put("pipeline", orElse(pipeline, 1));
            } else {
                record.put("rate", rate);
                record.put("connections", mostConnections());
            }
            record.put("warmUp", warmUp);
            record.put("duration", duration);
            record.put("deadline", deadline);
            record.put("connectTimeout", connectTimeout);
            return record;
        }

        private ClosedPlan closed(Request request) {
            return new ClosedPlan(
                    List.of(request),
                    orElse(users, DEFAULT_USERS),
                    orElse(think, Duration.ZERO),
                    orElse(rampUp, Duration.ZERO),
                    warmUp,
                    duration,
                    deadline,
                    orElse(pipeline, 1));
        }

        private OpenPlan open(Request request, double perSecond) {
            return OpenPlan.lasting(request, perSecond, duration)
                    .withWarmUp(warmUp)
                    .withDeadline(deadline)
                    .withMaxConnections(orElse(connections, DEFAULT_CONNECTIONS));
        }

        private static void refuse(@Nullable Object given, String option, String belongsTo) {
            if (given != null) {
                throw new IllegalArgumentException(option + " belongs to " + belongsTo);
            }
        }

        private static <T> T orElse(@Nullable T value, T otherwise) {
            return value == null ? otherwise : value;
        }
    }
}
