package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.RunnableJar;
import io.penstock.loadtest.peers.ServerFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code compare startup}. */
@Command(
        name = "startup",
        description = "Measures the time from the start of a server's process to its first response.",
        defaultValueProvider = OtherDefaults.Five.class)
public final class StartupCommand extends ScenarioCommand {
    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description =
                    "The file penstock.jar. It is measured, too, each time it is the turn of the server penstock. It serves a"
                            + " folder of files, without and with a class-data archive (made by --train).")
    private @Nullable Path jar;

    @Option(
            names = "--war",
            paramLabel = "FILE",
            description = "With --jar: also measure penstock.jar with this application. The request is for"
                    + " its page at /.")
    private @Nullable Path war;

    @Override
    List<Scenario> scenarios() throws ServerFailure {
        if (war != null && jar == null) {
            throw new IllegalArgumentException("--war needs --jar");
        }
        for (Path file : Arrays.asList(jar, war)) {
            if (file != null && !Files.isRegularFile(file)) {
                throw new ServerFailure("No such file: " + file);
            }
        }
        return List.of(
                jar == null ? StartupScenario.embedded() : StartupScenario.with(new RunnableJar(jvm(), jar), war));
    }
}
