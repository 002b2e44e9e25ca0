package io.penstock.compatibility;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Deploys an application on a running server, redeploys the application several times, and undeploys it. The test sends requests to the
 * application after each deployment. After the undeployment, no class loader of the application may stay in memory. This check also finds
 * threads of the application that still run, because such a thread keeps its class loader in memory. The log of the server must contain no
 * error, and no warning that the test does not expect.
 *
 * @param folder an empty folder for the files of the server
 * @param war the archive of the application
 * @param options further options of the server's command line
 * @param afterwards the parts of the application that may stay in memory after the undeployment
 * @param expected the words of warnings that the application causes
 */
public record Trial(Path folder, Path war, List<String> options, Afterwards afterwards, List<String> expected) {
    private static final int REDEPLOYS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** The folder of the log files. Each file has the name of an archive, and is kept after the test. */
    private static final Path LOGS = Path.of("target", "server-logs");

    private static final String NAME = "app.war";

    /** Sends requests to the application, and checks the responses. */
    @FunctionalInterface
    public interface Requests {
        void sendTo(Site site) throws Exception;
    }

    /** The parts of an undeployed application that may stay in memory. */
    public enum Afterwards {
        NOTHING,
        /** Classes of the application may stay in memory. The document docs/compatibility.md lists the known reasons. */
        CLASSES
    }

    public static Trial of(Path folder, Path war) {
        return new Trial(folder, war, List.of(), Afterwards.NOTHING, List.of());
    }

    public Trial with(String... further) {
        return new Trial(folder, war, List.of(further), afterwards, expected);
    }

    public Trial allowing(Afterwards left) {
        return new Trial(folder, war, options, left, expected);
    }

    public Trial expecting(String... warnings) {
        return new Trial(folder, war, options, afterwards, List.of(warnings));
    }

    public void run(Requests requests) throws Exception {
        Path log = Files.createDirectories(LOGS).resolve(war.getFileName() + ".log");
        try (Server server = Server.start(Files.createDirectory(folder.resolve("server")), log, options)) {
            server.put(war, NAME);
            awaitWords(server, " Deployed /app ", 1);
            requests.sendTo(Site.at(server.root().resolve("app/")));
            for (int redeploys = 1; redeploys <= REDEPLOYS; redeploys++) {
                server.put(war, NAME);
                awaitWords(server, " Redeployed /app ", redeploys);
                requests.sendTo(Site.at(server.root().resolve("app/")));
            }
            server.remove(NAME);
            awaitWords(server, " Undeployed /app: ", 1);
            if (afterwards == Afterwards.NOTHING) {
                awaitNoLoaders(server);
            }
            server.stop();
            assertEquals(List.of(), unexpected(server));
        }
    }

    private List<String> unexpected(Server server) throws IOException {
        return server.warnings().stream()
                .filter(line -> expected.stream().noneMatch(line::contains))
                .toList();
    }

    private static void awaitNoLoaders(Server server) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertEquals(0, server.loaders(), "the number of class loaders in memory"));
    }

    private void awaitWords(Server server, String words, int times) throws IOException {
        await().atMost(PATIENCE)
                .until(() ->
                        server.countLines(words) == times || !unexpected(server).isEmpty());
        assertEquals(List.of(), unexpected(server));
    }
}
