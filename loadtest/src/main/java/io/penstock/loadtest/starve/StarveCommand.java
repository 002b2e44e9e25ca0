package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.ResultFiles;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Fields;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code loadtest starve}: its options, and the start of the search. */
@Command(
        name = "starve",
        description = {
            "Finds the number of slow clients at which a server, or the connection pool of its application,"
                    + " does not answer other clients any more.",
            "",
            "Tries each kind of slow client alone. Starts with a few slow clients, and doubles their number"
                    + " until less than half",
            "of the normal requests are answered in time. Then searches the exact number. The slow clients"
                    + " send few bytes, and",
            "stay within the bounds. Use this command only on your own servers.",
            ""
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no kind of slow client stops the server, each up to --clients",
            "1:at least one kind stops the server",
            "2:an option is invalid, or the host is another machine and --host does not name it",
            "3:not measured",
            "4:no kind stops the server, but at least one was not tried, or not up to --clients; the report has the reason"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  loadtest starve http://localhost:8080/ --upload-url=http://localhost:8080/upload --read-url=http://localhost:8080/report",
            "  loadtest starve http://localhost:8080/orders --kinds=uploads --upload-url=http://localhost:8080/orders --clients=50",
            "      tests the connection pool of one servlet",
            "  loadtest starve http://localhost:8080/api/orders --header='Authorization: Bearer TOKEN' --content-type=application/json",
            "      tests a service that needs a login, and reads JSON"
        })
public final class StarveCommand implements Callable<Integer> {
    private static final int NOT_STOPPED = 0;
    private static final int STOPPED = 1;
    private static final int NOT_TRIED = 4;
    private static final int SMALL_BUFFER = 16 << 10;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "URL",
            description = "URL of normal requests, slow heads and idle connections. With https, every certificate"
                    + " is accepted.")
    private @Nullable URI url;

    @Option(
            names = "--upload-url",
            paramLabel = "URL",
            description = "URL of slow uploads, also over HTTP/2. Default: URL.")
    private @Nullable URI uploadUrl;

    @Option(
            names = "--read-url",
            paramLabel = "URL",
            description = "URL of slow readers, also over HTTP/2, with a response of at least 4 MB. Default: URL.")
    private @Nullable URI readUrl;

    @Option(
            names = "--header",
            paramLabel = "'NAME: VALUE'",
            description = "Header field to send with each request, normal or slow, such as a cookie. Can be repeated.")
    private List<String> headers = List.of();

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            description = "Content-Type of slow uploads. Their bodies consist of spaces.",
            defaultValue = "application/octet-stream")
    private String contentType = "";

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description = "Kinds of slow clients: ${COMPLETION-CANDIDATES}. Those of HTTP/2 are tried only if you name"
                    + " them. Without TLS, they begin with HTTP/2 (prior knowledge).")
    private List<SlowKind> kinds = SlowKind.OF_HTTP_1;

    @Option(names = "--clients", paramLabel = "N", description = "Bound: maximum number of slow clients at a time.")
    private int clients = 512;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Bound: total bytes that all slow clients send, such as 500k or 2m.")
    private long bytes = 2 << 20;

    @Option(
            names = "--time",
            converter = DurationConverter.class,
            description = "Bound: time from the first slow client to the last, such as 90s or 5m.",
            defaultValue = "5m")
    private Duration time = Duration.ofMinutes(5);

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Allow this host, which is not this machine. Write it as in the URL. It must be your own.")
    private @Nullable String host;

    @Option(
            names = "--deadline",
            converter = DurationConverter.class,
            description = "Time limit for the response to a normal request.",
            defaultValue = "1s")
    private Duration deadline = Duration.ofSeconds(1);

    @Option(names = "--requests", paramLabel = "N", description = "Number of normal requests in each step.")
    private int requests = 20;

    @Option(names = "--rate", paramLabel = "N", description = "Rate of normal requests, per second.")
    private int rate = 50;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Maximum number of connections for normal requests.")
    private int connections = 20;

    @Option(names = "--first", paramLabel = "N", description = "Number of slow clients in the first step.")
    private int first = 4;

    @Option(names = "--upload-length", paramLabel = "N", description = "Content-Length of a slow upload.")
    private int uploadLength = 65_536;

    @Option(names = "--drop", paramLabel = "N", description = "Bytes of a slow upload that are sent at a time.")
    private int drop = 1;

    @Option(
            names = "--read",
            paramLabel = "N",
            description = "Bytes that a slow reader reads at a time. A stream of HTTP/2 reads only once.")
    private int read = 100;

    @Option(
            names = "--streams",
            paramLabel = "N",
            description = "Streams on each connection of HTTP/2. Each stream counts as a slow client.")
    private int streams = 20;

    @Option(
            names = "--pause",
            converter = DurationConverter.class,
            description = "Time between two pieces of a slow upload, or two reads of a slow reader.",
            defaultValue = "1s")
    private Duration pause = Duration.ofSeconds(1);

    @Mixin
    private final ResultFiles files = new ResultFiles();

    @Override
    public Integer call() throws IOException, InterruptedException {
        StarvePlan plan = checkedPlan();
        FileDescriptors.check(plan.limits().clients() + plan.connections());
        ClientSettings settings =
                isEncrypted() ? ClientSettings.defaults().withTls(AnyCertificate.clients()) : ClientSettings.defaults();
        try (ClientLoop normal = ClientLoop.start(settings.withMaxConnections(plan.connections()));
                ClientLoop slow = ClientLoop.start(
                        settings.withMaxConnections(plan.limits().clients()).withSocketBuffers(SMALL_BUFFER, 0))) {
            OpenLoop.checkReachable(normal, plan.step().request(), plan.deadline());
            return search(plan, settings, normal, slow);
        }
    }

    private int search(StarvePlan plan, ClientSettings settings, ClientLoop normal, ClientLoop slow)
            throws IOException, InterruptedException {
        PrintWriter out = command().commandLine().getOut();
        PrintWriter err = command().commandLine().getErr();
        Environment environment = Environment.of(CommandLineUsed.of(command()));
        try (Bounds bounds = new Bounds(slow, plan.limits())) {
            StarveExperiment experiment = new StarveExperiment(plan, settings, normal, slow, bounds, line -> {
                err.println(line);
                err.flush();
            });
            Finding.Answered alone = experiment.alone();
            out.println("Normal requests without slow clients: " + alone.describe() + ".");
            out.flush();
            StarveReport report = new StarveReport(environment, plan, alone, experiment.all());
            out.println();
            out.print(report.table().text());
            out.println();
            report.sentences().forEach(out::println);
            out.flush();
            save(report);
            if (report.isStopped()) {
                return STOPPED;
            }
            return report.isConclusive() ? NOT_STOPPED : NOT_TRIED;
        }
    }

    private void save(StarveReport report) throws IOException {
        if (files.json() != null) {
            Json.save(files.json(), report.json());
        }
        if (files.csv() != null) {
            report.table().saveCsv(files.csv());
        }
    }

    private StarvePlan checkedPlan() {
        try {
            Target normal = permitted(Objects.requireNonNull(url));
            Target upload = (uploadUrl == null ? normal : permitted(uploadUrl))
                    .withField(Fields.Field.ofOption("--content-type", "Content-Type: " + contentType));
            Target large = readUrl == null ? normal : permitted(readUrl);
            files.check();
            atLeastOne(clients, "--clients");
            atLeastOne(bytes, "--bytes");
            atLeastOne(time.toMillis(), "--time");
            atLeastOne(deadline.toMillis(), "--deadline");
            atLeastOne(requests, "--requests");
            atLeastOne(rate, "--rate");
            atLeastOne(connections, "--connections");
            atLeastOne(first, "--first");
            atLeastOne(uploadLength, "--upload-length");
            atLeastOne(drop, "--drop");
            atLeastOne(read, "--read");
            atLeastOne(streams, "--streams");
            atLeastOne(pause.toMillis(), "--pause");
            return new StarvePlan(
                    normal,
                    upload,
                    large,
                    new SlowClient.Manner(
                            normal, uploadLength, 0, drop, read, Math.toIntExact(pause.toMillis()), streams),
                    kinds,
                    requests,
                    rate,
                    deadline,
                    connections,
                    first,
                    new Bounds.Limits(clients, bytes, time));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command().commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** Whether the URL of normal requests has the scheme {@code https}. The other URLs must have the same scheme. */
    private boolean isEncrypted() {
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

    private static void atLeastOne(long value, String option) {
        if (value < 1) {
            throw new IllegalArgumentException(option + " must be at least 1, not " + value);
        }
    }

    private CommandSpec command() {
        return Objects.requireNonNull(spec);
    }

    /**
     * A trust manager that accepts every certificate. The command {@code loadtest starve} connects only to the user's own servers, which
     * often have self-signed certificates. It sends no secrets.
     */
    static final class AnyCertificate implements X509TrustManager {

        static SSLContext clients() {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[] {new AnyCertificate()}, null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("This Java has no TLS", e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("There are no clients here");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // Every certificate is accepted.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
