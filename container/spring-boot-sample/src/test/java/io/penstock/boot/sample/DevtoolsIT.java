package io.penstock.boot.sample;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the sample application {@link Workshop} with Boot's devtools in a separate JVM. A change on the class path restarts the application.
 * The class loader of the first start stays in memory, because it is the context class loader of Boot's thread
 * {@code SpringApplicationShutdownHook}. After a restart, only this class loader and that of the current start may be in memory.
 */
class DevtoolsIT {
    private static final Pattern LISTENING = Pattern.compile("Penstock started on port (\\d+)");

    /** The class loaders of the first start and of the current one. A start that a further change has ended early counts, too. */
    private static final Pattern ONE_LEFT = Pattern.compile("2 of \\d+");

    private static final int RESTARTS = 5;

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final LinkedBlockingQueue<Integer> ports = new LinkedBlockingQueue<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final List<String> log = new ArrayList<>();
    private int port; // used by the reader of the log only
    private Path classes;

    // The port of the newest start, and the number of starts.
    private int newest;
    private int starts = 1;
    private Process application;

    @BeforeEach
    void start() throws Exception {
        Path built = Path.of(Workshop.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        classes = folder.resolve("classes");
        try (Stream<Path> all = Files.walk(built)) {
            for (Path each : all.toList()) {
                Files.copy(each, classes.resolve(built.relativize(each).toString()));
            }
        }
        List<String> path = new ArrayList<>(List.of(classes.toString()));
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!Path.of(each).equals(built)) {
                path.add(each);
            }
        }
        application = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        // Otherwise, soft references in caches of the JDK could keep class loaders in memory.
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")),
                        "-cp",
                        String.join(File.pathSeparator, path),
                        Workshop.class.getName(),
                        "--spring.config.name=workshop",
                        "--spring.devtools.livereload.enabled=false",
                        "--spring.devtools.restart.poll-interval=100ms",
                        "--spring.devtools.restart.quiet-period=50ms")
                .redirectErrorStream(true)
                .start();
        Thread reader = new Thread(this::read, "log of the workshop");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = application.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (log) {
                    log.add(line);
                }
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    port = Integer.parseInt(listening.group(1));
                } else if (line.contains("Starting Workshop using")) {
                    begun.incrementAndGet();
                } else if (line.contains("Started Workshop in")) {
                    ports.add(port);
                }
            }
        } catch (IOException e) {
            synchronized (log) {
                log.add(e.toString()); // The process has ended.
            }
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        if (starts < RESTARTS) {
            synchronized (log) {
                log.forEach(System.out::println);
            }
        }
        application.destroy();
        application.waitFor();
    }

    private int firstPort() throws InterruptedException {
        Integer port = ports.poll(3 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
        synchronized (log) {
            assertNotNull(port, () -> String.join("\n", log));
        }
        return port;
    }

    private String get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void onlyTheFirstAndTheCurrentClassLoaderRemainAfterRestarts() throws Exception {
        assertEquals("1 of 1", get(firstPort(), "/restarts"));
        for (int restart = 2; restart <= RESTARTS; restart++) {
            int least = restart;
            int before = begun.get();
            AtomicInteger changes = new AtomicInteger();
            // A change before Spring's watcher has begun is no change for it, so the file is changed until a restart
            // begins. A change during a start would begin a second one beside it. Only the class loaders of the first
            // start and of the current start remain.
            await().atMost(PATIENCE.multipliedBy(3)).ignoreExceptions().until(() -> {
                if (begun.get() == before) {
                    Files.writeString(classes.resolve("change.properties"), least + "." + changes.incrementAndGet());
                }
                Integer next = starts < least ? ports.poll(20, TimeUnit.SECONDS) : null;
                if (next != null) {
                    newest = next;
                    starts++;
                }
                return starts >= least
                        && ONE_LEFT.matcher(get(newest, "/restarts")).matches();
            });
        }
    }
}
