package io.penstock.loadtest.run;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.Load.Progress;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.ResultFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
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
}
