package io.penstock.loadtest.compare.setup;

import io.penstock.loadtest.peers.JavaVersion;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerFailure;
import io.penstock.loadtest.report.DocumentOption;
import io.penstock.loadtest.report.MarkdownSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A picocli mixin: the options that all commands of {@code compare} share. */
public final class ComparisonOptions {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--servers",
            paramLabel = "NAME",
            split = ",",
            converter = ServerConverter.class,
            showDefaultValue = Help.Visibility.NEVER,
            description = {
                "Servers, separated by commas, in the order of their turns. With common settings: penstock,"
                        + " tomcat7 (blocking, a thread for each connection), tomcat, jetty, undertow; jetty-eager and"
                        + " undertow-buffering (a handler collects up to 64 KB of a body before it calls the servlet);"
                        + " tomcat-virtual and jetty-virtual (servlets on virtual threads, Java 21 or newer). With"
                        + " their own default settings: penstock-defaults, tomcat7-defaults, tomcat-defaults,"
                        + " jetty-defaults, undertow-defaults, penstock-virtual-defaults, tomcat-virtual-defaults,"
                        + " jetty-virtual-defaults, and an earlier Penstock: penstock-before and"
                        + " penstock-before-virtual, if you have copied its penstock.jar to penstock-before.jar in the"
                        + " folder --peers. Only for compare sessions: penstock-redis,"
                        + " tomcat-spring. Only for compare boot: boot-penstock, boot-tomcat, boot-jetty, and these"
                        + " names with -virtual appended. Default: all servers that the JVM can run."
            })
    private List<Server> servers = List.of();

    @Option(names = "--java", paramLabel = "PATH", description = "java command for the servers.")
    private Path java = JvmSettings.ownJava();

    @Option(names = "--heap", paramLabel = "SIZE", description = "Heap size of each server, such as 512m or 2g.")
    private String heap = "512m";

    @Option(
            names = "--gc",
            paramLabel = "NAME",
            description = "Garbage collector of each server: serial, parallel, g1, z or shenandoah.")
    private String collector = "parallel";

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Number of runs of each server. The servers run in turns. The report has median, lowest"
                    + " and highest value.")
    private int rounds = 3;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "Maximum number of repetitions of a disturbed run. A run is disturbed if other programs"
                    + " used more than a tenth of this machine. If the last repetition is disturbed, too, the"
                    + " report marks it.")
    private int repeats = 2;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for the results (text, JSON, CSV, pictures), created if absent. It is updated"
                    + " after every run.")
    private @Nullable Path out;

    @Mixin
    private DocumentOption docs = new DocumentOption();

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description = "Folder with the programs of the servers. Default: peers/ beside loadtest.jar.")
    private @Nullable Path peers;

    /** @throws ParameterException if an option is wrong */
    public JvmSettings jvm(boolean smoke) {
        return smoke ? jvm().forSmokeTest() : jvm();
    }

    /** @throws ParameterException if an option is wrong */
    public JvmSettings jvm() {
        try {
            return new JvmSettings(java, heap, collector);
        } catch (IllegalArgumentException wrong) {
            throw wrong(String.valueOf(wrong.getMessage()));
        }
    }

    /** @throws ParameterException if an option is wrong */
    public int rounds() {
        if (rounds < 1) {
            throw wrong("--rounds must be at least 1, not " + rounds);
        }
        return rounds;
    }

    /**
     * Returns an object that measures how much of the machine other programs use.
     *
     * @throws ParameterException if an option is wrong
     */
    public OtherPrograms otherPrograms() {
        if (repeats < 0) {
            throw wrong("--repeats must be at least 0, not " + repeats);
        }
        return new OtherPrograms(repeats);
    }

    /**
     * Returns the servers that are measured. Servers that the JVM cannot run are left out.
     *
     * @param otherwise the servers to measure if the user names none
     * @throws ServerFailure if the {@code java} command does not work, no server can be measured, or a server's program is missing
     */
    public Lineup lineup(List<Server> otherwise) throws ServerFailure, InterruptedException {
        Lineup lineup = Lineup.of(servers.isEmpty() ? otherwise : servers, JavaVersion.of(java));
        if (lineup.servers().isEmpty()) {
            throw new ServerFailure("No server can be compared: " + String.join("; ", lineup.leftOut()));
        }
        PeersFolder folder = peers();
        for (Server server : lineup.servers()) {
            folder.jar(server);
        }
        return lineup;
    }

    public PeersFolder peers() {
        return peers == null ? PeersFolder.besideProgram() : new PeersFolder(peers);
    }

    public Optional<Path> out() {
        return Optional.ofNullable(out);
    }

    /** @throws ParameterException if the user requests both a smoke test and the writing of documents */
    public void checkDocs(boolean smoke) {
        if (smoke && docs.isChosen()) {
            throw wrong("--smoke cannot be combined with --write-docs: its figures are not measurements");
        }
    }

    /** The document in which the section with the result is replaced; empty if the user has not requested this. */
    public Optional<Path> docs(String section) {
        return docs.file(section);
    }

    /**
     * Checks before the measurement that the result files can be written, and creates the folder for results.
     *
     * @param sections the names of the sections that the command replaces in the document
     */
    public void prepareFiles(List<String> sections) throws IOException {
        for (String section : sections) {
            Path document = docs.file(section).orElse(null);
            if (document != null) {
                MarkdownSection.check(document, section);
            }
        }
        if (out != null) {
            if (Files.exists(out) && !Files.isDirectory(out)) {
                throw wrong("--out is not a folder: " + out);
            }
            Files.createDirectories(out);
        }
    }

    /** Returns an exception for a wrong option of the command that uses this mixin. */
    public ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }
}
