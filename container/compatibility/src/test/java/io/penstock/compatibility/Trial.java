package io.penstock.compatibility;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The life of an application on a running server: it comes, serves, is replaced some times, serves after each, and goes. Then its classes
 * are gone from memory (and so all its threads), the server ends, and has found nothing to warn of.
 *
 * @param folder where the server may read and write
 * @param options of the server's command line
 * @param afterwards what is left of it
 */
public record Trial(Path folder, Path war, List<String> options, Afterwards afterwards) {
    private static final int REDEPLOYS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Each names its archive, and stays for whoever wants to read it. */
    private static final Path LOGS = Path.of("target", "server-logs");

    private static final String NAME = "app.war";

    /** What a user does, who finds what he expects. */
    @FunctionalInterface
    public interface Visit {
        void to(Site site) throws Exception;
    }

    /** What is left of an application that has gone. */
    public enum Afterwards {
        NOTHING,
        /** Its classes, or those of some versions; docs/compatibility.md says why, as far as that is known. */
        CLASSES
    }

    public static Trial of(Path folder, Path war) {
        return new Trial(folder, war, List.of(), Afterwards.NOTHING);
    }

    public Trial with(String... further) {
        return new Trial(folder, war, List.of(further), afterwards);
    }

    public Trial allowing(Afterwards left) {
        return new Trial(folder, war, options, left);
    }

    public void run(Visit visit) throws Exception {
        Path log = Files.createDirectories(LOGS).resolve(war.getFileName() + ".log");
        try (Server server = Server.start(Files.createDirectory(folder.resolve("server")), log, options)) {
            server.put(war, NAME);
            awaitWords(server, " Deployed /app ", 1);
            visit.to(Site.at(server.root().resolve("app/")));
            for (int redeploys = 1; redeploys <= REDEPLOYS; redeploys++) {
                server.put(war, NAME);
                awaitWords(server, " Redeployed /app ", redeploys);
                visit.to(Site.at(server.root().resolve("app/")));
            }
            server.remove(NAME);
            awaitWords(server, " Undeployed /app: ", 1);
            if (afterwards == Afterwards.NOTHING) {
                awaitNoLoaders(server);
            }
            server.stop();
            assertEquals(List.of(), server.complaints());
        }
    }

    private static void awaitNoLoaders(Server server) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertEquals(0, server.loaders(), "class loaders in memory"));
    }

    private static void awaitWords(Server server, String words, int times) throws IOException {
        await().atMost(PATIENCE)
                .until(() -> server.said(words) == times || !server.complaints().isEmpty());
        assertEquals(List.of(), server.complaints());
    }
}
