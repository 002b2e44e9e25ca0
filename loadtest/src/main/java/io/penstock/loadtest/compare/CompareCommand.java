package io.penstock.loadtest.compare;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.compare.Setup.Lineup;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.JvmSettings.JavaVersion;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerFailure;
import io.penstock.loadtest.report.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code loadtest compare}. Each {@link Comparison} is a subcommand, or an option of a subcommand. */
@Command(
        name = "compare",
        description = {
            "Compares servers. Each server runs in its own JVM, with the same heap, garbage collector and"
                    + " content. The servers are warmed up and measured in turns. The report has medians with lowest"
                    + " and highest values.",
            "Each comparison is a separate command."
        },
        modelTransformer = CompareCommand.Subcommands.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMPARISON")
public final class CompareCommand {
    /** The command {@code starve ws-readers}, which starts the servers itself, as all comparisons do. */
    public static CommandSpec deadReaders() {
        Comparison comparison = Comparison.ALL.stream()
                .filter(other -> other.command().equals("ws-readers"))
                .findFirst()
                .orElseThrow();
        return new ComparisonCommand(comparison).specification();
    }

    static final class Subcommands implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec compare) {
            Comparison.ALL.stream()
                    .filter(comparison -> comparison.variant().isEmpty())
                    .forEach(comparison -> compare.addSubcommand(
                            comparison.command(), new ComparisonCommand(comparison).specification()));
            return compare;
        }
    }

    /** The command of a {@link Comparison}: the options that all comparisons share, the sizes of this one, and its run. */
    @Command(
            mixinStandardHelpOptions = true,
            showDefaultValues = true,
            sortOptions = false,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:measured, at least partly", "2:an option is invalid", "3:nothing was measured"},
            footerHeading = "%n",
            footer = "Writes results to standard output, progress to standard error.")
    static final class ComparisonCommand implements Callable<Integer> {
        private static final int COULD_NOT_MEASURE = 3;

        private final List<Comparison> comparisons;

        @Spec
        private @Nullable CommandSpec spec;

        @Option(
                names = "--servers",
                paramLabel = "NAME",
                split = ",",
                showDefaultValue = CommandLine.Help.Visibility.NEVER,
                description = {
                    "Servers, separated by commas, in the order of their turns. With common settings: penstock,"
                            + " tomcat7 (blocking, a thread for each connection), tomcat, jetty, undertow; jetty-eager"
                            + " and undertow-buffering (a handler collects up to 64 KB of a body before it calls the"
                            + " servlet); tomcat-virtual and jetty-virtual (servlets on virtual threads, Java 21 or"
                            + " newer). With their own default settings: penstock-defaults, tomcat7-defaults,"
                            + " tomcat-defaults, jetty-defaults, undertow-defaults, penstock-virtual-defaults,"
                            + " tomcat-virtual-defaults, jetty-virtual-defaults, and an earlier Penstock:"
                            + " penstock-before and penstock-before-virtual, if you have copied its penstock.jar to"
                            + " penstock-before.jar in the folder --peers. With sessions in Redis: penstock-redis,"
                            + " tomcat-spring. Under Spring Boot: boot-penstock, boot-tomcat, boot-jetty, and these"
                            + " names with -virtual appended."
                })
        private List<String> servers = List.of();

        @Option(
                names = "--works",
                paramLabel = "NAME",
                split = ",",
                showDefaultValue = CommandLine.Help.Visibility.NEVER,
                description = "Works, separated by commas. Default: all works of the comparison.")
        private List<String> names = List.of();

        @Option(
                names = "--client",
                paramLabel = "NAME",
                description = "Client that sends requests without pauses: wrk, h2load, own (the load test's own"
                        + " client), or auto: wrk or h2load for small requests and responses, if they are on the path,"
                        + " else own. A smoke test uses own in place of auto.")
        private String client = Client.AUTO;

        @Option(names = "--java", paramLabel = "PATH", description = "java command for the servers.")
        private Path java = JvmSettings.ownJava();

        @Option(names = "--heap", paramLabel = "SIZE", description = "Heap size of each server, such as 512m or 2g.")
        private @Nullable String heap;

        @Option(
                names = "--gc",
                paramLabel = "NAME",
                description = "Garbage collector of each server: serial, parallel, g1, z or shenandoah.")
        private String collector = "parallel";

        @Option(
                names = "--repeats",
                paramLabel = "N",
                description = "Maximum number of repetitions of a disturbed turn. A turn is disturbed if other programs"
                        + " used more than a tenth of this machine. If the last repetition is disturbed, too, the"
                        + " report marks it.")
        private int repeats = 2;

        @Option(
                names = "--smoke",
                description = "Test run: a few seconds for each server, with small sizes. Other options still apply."
                        + " The printed figures are not measurements.")
        private boolean smoke;

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description = "Folder for the results (text, JSON, CSV, pictures), created if absent. It is updated"
                        + " after every turn.")
        private @Nullable Path out;

        @Option(
                names = "--write-docs",
                paramLabel = "DIR",
                description = "Folder for the tables as compare-NAME.csv, with pictures in images/, such as"
                        + " docs/results. 'loadtest page FILE' prints such a file as a Markdown page.")
        private @Nullable Path docs;

        @Option(
                names = "--go-on",
                description = "Continue an earlier run with the same options, whose results are in --out. So one table"
                        + " can be measured in parts; name the works of each part with --works.")
        private boolean goOn;

        @Option(
                names = "--peers",
                paramLabel = "DIR",
                description = "Folder with the programs of the servers. Default: peers/ beside loadtest.jar.")
        private @Nullable Path peers;

        @Option(
                names = "--admin-port",
                paramLabel = "PORT",
                description = "Show Penstock's flow board at http://localhost:PORT/ during the measurement. This has a"
                        + " small cost, since requests are measured for it. Default: no flow board.")
        private @Nullable Integer adminPort;

        @Option(
                names = "--set",
                paramLabel = "KEY=VALUE",
                showDefaultValue = CommandLine.Help.Visibility.NEVER,
                description = "Additional setting of Penstock, such as tls-threads=1. Can be repeated.")
        private Map<String, String> settings = new TreeMap<>();

        ComparisonCommand(Comparison comparison) {
            this.comparisons = Comparison.ALL.stream()
                    .filter(other -> other.command().equals(comparison.command()))
                    .toList();
        }

        /** The command with its sizes and variants as further options. */
        CommandSpec specification() {
            CommandSpec command = CommandSpec.forAnnotatedObject(this);
            Comparison usual = comparisons.get(0);
            command.name(usual.command());
            if (!usual.command().equals(usual.name())) {
                command.aliases(usual.name());
            }
            List<String> description = new ArrayList<>();
            Set<String> added = new HashSet<>();
            for (Comparison comparison : comparisons) {
                Sizes full = new Sizes(comparison.sizes(), false, Map.of());
                String begin = comparison.variant().isEmpty()
                        ? comparison.explanation()
                        : "With " + comparison.variant() + ".";
                description.add(begin + " Servers: " + comparison.servers() + ". Works: "
                        + comparison.works().apply(full).stream().map(Work::id).collect(Collectors.joining(", "))
                        + ".");
                if (!comparison.variant().isEmpty()) {
                    command.addOption(OptionSpec.builder(comparison.variant())
                            .type(boolean.class)
                            .arity("0")
                            .description(comparison.explanation())
                            .build());
                }
                for (Size<?> size : comparison.sizes()) {
                    if (added.add(size.option())) {
                        command.addOption(option(size));
                    }
                }
            }
            // The list of commands has only the first sentence.
            command.usageMessage().header(usual.explanation().replaceFirst("(?s)[.:] .*", "."));
            command.usageMessage().description(description.toArray(String[]::new));
            return command;
        }

        private static OptionSpec option(Size<?> size) {
            OptionSpec.Builder option = OptionSpec.builder(size.option())
                    .type(size.type())
                    .paramLabel(size.type() == Duration.class ? "TIME" : "N")
                    .description(size.description() + " Default: " + Size.written(size.full()) + ".");
            return size.type() == Duration.class
                    ? option.converters(new DurationConverter()).build()
                    : option.build();
        }

        @Override
        public Integer call() throws IOException, InterruptedException {
            if (docs != null && !Files.isDirectory(docs)) {
                throw wrong("--write-docs is not a folder: " + docs);
            }
            if (out != null && Files.exists(out) && !Files.isDirectory(out)) {
                throw wrong("--out is not a folder: " + out);
            }
            Setup setup;
            try {
                setup = setup(chosen());
            } catch (IllegalArgumentException wrong) {
                throw wrong(String.valueOf(wrong.getMessage()));
            }
            for (Work work : setup.works()) {
                FileDescriptors.check(work.job().connections());
                FileDescriptors.checkServer(work.job().connections(), work.job().files());
            }
            for (Server server : setup.lineup().servers()) {
                setup.peers().jar(server);
            }
            if (out != null) {
                Files.createDirectories(out);
            }
            return measure(setup);
        }

        private Comparison chosen() {
            CommandLine.ParseResult parsed = command().commandLine().getParseResult();
            return comparisons.stream()
                    .filter(comparison ->
                            !comparison.variant().isEmpty() && parsed.hasMatchedOption(comparison.variant()))
                    .findFirst()
                    .orElse(comparisons.get(0));
        }

        /** @throws IllegalArgumentException if an option is wrong */
        private Setup setup(Comparison comparison) throws ServerFailure, InterruptedException {
            if (smoke && docs != null) {
                throw new IllegalArgumentException(
                        "--smoke cannot be combined with --write-docs: its figures are not measurements");
            }
            if (repeats < 0) {
                throw new IllegalArgumentException("--repeats must be at least 0, not " + repeats);
            }
            if (goOn && out == null) {
                throw new IllegalArgumentException("--go-on needs --out");
            }
            Client.check(client);
            Map<String, Object> given = new HashMap<>();
            for (Size<?> size : comparison.sizes()) {
                Object value =
                        command().commandLine().getParseResult().matchedOptionValue(size.option(), (Object) null);
                if (value != null) {
                    given.put(size.option(), value);
                }
            }
            Sizes sizes = new Sizes(comparison.sizes(), smoke, given);
            List<Work> works = new ArrayList<>(comparison.works().apply(sizes));
            for (String name : names) {
                if (works.stream().noneMatch(work -> work.id().equals(name))) {
                    throw new IllegalArgumentException("--works: no such work: '" + name + "'; use "
                            + works.stream().map(Work::id).collect(Collectors.joining(", ")));
                }
            }
            works.removeIf(work -> !names.isEmpty() && !names.contains(work.id()));
            List<Server> wished = servers.isEmpty()
                    ? comparison.usual()
                    : comparison.among(
                            servers.stream().map(ComparisonCommand::server).toList());
            JvmSettings jvm = new JvmSettings(java, heap == null ? comparison.heap() : heap, collector);
            Map<String, String> all = new TreeMap<>(settings);
            if (adminPort != null) {
                all.put("admin-port", adminPort.toString());
            }
            Lineup lineup = Lineup.of(wished, JavaVersion.of(java));
            if (lineup.servers().isEmpty()) {
                throw new ServerFailure("No server can be compared: " + String.join("; ", lineup.leftOut()));
            }
            return new Setup(
                    comparison,
                    works,
                    sizes,
                    lineup,
                    peers == null ? PeersFolder.besideProgram() : new PeersFolder(peers),
                    smoke ? jvm.forSmokeTest() : jvm,
                    smoke && client.equals(Client.AUTO) ? "own" : client,
                    all);
        }

        private static Server server(String name) {
            return Server.named(name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "--servers: no such server: '" + name + "'; use " + String.join(", ", Server.ids())));
        }

        private int measure(Setup setup) throws IOException, InterruptedException {
            Results results = new Results();
            Optional<Results.Saved> earlier = earlier(setup);
            Set<String> now = setup.works().stream().map(Work::id).collect(Collectors.toSet());
            earlier.ifPresent(run -> results.takeOver(run, now));
            List<Work> shown = setup.comparison().works().apply(setup.sizes()).stream()
                    .filter(work -> now.contains(work.id())
                            || earlier.filter(run -> run.works().contains(work.id()))
                                    .isPresent())
                    .toList();
            // A smoke test has no figures that other programs could disturb.
            OtherPrograms others = new OtherPrograms(smoke ? 0 : repeats);
            Environment environment = Environment.of(CommandLineUsed.of(command()));
            Report report = new Report(setup.showing(shown), others, results, environment);
            if (earlier.isPresent() && !earlier.get().terms().equals(report.terms())) {
                throw wrong("--go-on needs the same options. Options of the earlier run: "
                        + earlier.get().terms() + "; of this run: " + report.terms());
            }
            PrintWriter print = command().commandLine().getOut();
            try (Interruption interruption = results.closedAtInterruption(Thread.currentThread())) {
                try {
                    new Experiment(
                                    setup,
                                    others,
                                    results,
                                    report,
                                    command().commandLine().getErr(),
                                    out)
                            .run();
                } catch (InterruptedException stopped) {
                    if (!interruption.happened()) {
                        throw stopped;
                    }
                }
                if (results.isEmpty()) {
                    String none = interruption.happened()
                            ? "it was stopped before the end of the first turn"
                            : "none of the servers has the content that these works need";
                    throw new IOException("Nothing was measured: "
                            + results.gaps().stream()
                                    .map(Results.Gap::reason)
                                    .findFirst()
                                    .orElse(none));
                }
                if (interruption.happened()) {
                    print.println("Stopped. Measured until then:");
                }
                print.println(report.text());
                print.flush();
                if (interruption.happened()) {
                    return COULD_NOT_MEASURE;
                }
            }
            if (docs != null) {
                report.publish(docs);
            }
            return 0;
        }

        private Optional<Results.Saved> earlier(Setup setup) throws IOException {
            if (!goOn) {
                return Optional.empty();
            }
            return Optional.of(Results.Saved.read(
                    Objects.requireNonNull(out).resolve(setup.comparison().name() + ".json")));
        }

        private ParameterException wrong(String message) {
            return new ParameterException(command().commandLine(), message);
        }

        private CommandSpec command() {
            return Objects.requireNonNull(spec);
        }
    }
}
