package io.penstock.compatibility;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs {@code penstock.jar} in a separate process that deploys the web applications of a folder.
 *
 * <p>Only one thread uses an instance. {@link #close} ends the process.
 */
public final class Server implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");
    private static final Pattern WARNING = Pattern.compile("(?m)^\\S+ \\[[^]]*] (?:WARN|ERROR) .*$");
    private static final Pattern LOADERS =
            Pattern.compile("(?m)^ *[0-9]+: +([0-9]+) .* io\\.penstock\\.deploy\\.WebAppClassLoader(?: |$)");
    private static final String JAR = System.getProperty("penstock.jar", "../standalone/target/penstock.jar");
    private static final int PATIENCE_SECONDS = 120;

    private final Process process;
    private final Path folder;
    private final Path log;
    private final URI root;

    private Server(Process process, Path folder, Path log, URI root) {
        this.process = process;
        this.folder = folder;
        this.log = log;
        this.root = root;
    }

    /**
     * @param home an empty folder for the files of the server
     * @param log the file for the log of the server; its former content is replaced
     * @param options further options of the command line
     */
    static Server start(Path home, Path log, List<String> options) throws IOException {
        Path folder = Files.createDirectory(home.resolve("webapps"));
        List<String> command = new ArrayList<>(List.of(
                tool("java"),
                "-ea",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // With this option, a garbage collection clears all soft references, so they keep no class loader in
                // memory.
                "-XX:SoftRefLRUPolicyMSPerMB=0",
                "-Djava.io.tmpdir=" + Files.createDirectory(home.resolve("tmp")),
                // Applications such as RDF4J keep their data there.
                "-Duser.home=" + home,
                "-jar",
                JAR));
        command.addAll(List.of("--host", "127.0.0.1", "--port", "0"));
        command.addAll(List.of("--webapps", folder.toString(), "--webapps-interval", "50ms"));
        // Some requests of the tests cause warnings of frameworks. So frameworks log only errors. The server also logs
        // warnings and information.
        command.addAll(List.of("--log-level", "error, io.penstock=info"));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("PENSTOCK_") || name.equals("JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        BufferedReader out = process.inputReader();
        String line = String.valueOf(out.readLine());
        Matcher address = ADDRESS.matcher(line);
        if (!address.find()) {
            process.destroyForcibly();
            throw new IOException("the server did not start: " + line + " " + Files.readString(log));
        }
        return new Server(process, folder, log, URI.create(address.group()));
    }

    /**
     * Returns the line of a user for the realm file (the file of users and passwords). The server creates the line by its option {@code
     * --hash-password}.
     */
    public static String userLine(String name, String password, String role) throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(tool("java"), "-jar", JAR, "--hash-password", name).start();
        try (Writer in = asked.outputWriter()) {
            in.write(password + System.lineSeparator());
        }
        String line = new String(asked.getInputStream().readAllBytes(), Charset.defaultCharset()).strip();
        if (asked.waitFor() != 0) {
            throw new IOException(new String(asked.getErrorStream().readAllBytes(), Charset.defaultCharset()));
        }
        return line + role;
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    URI root() {
        return root;
    }

    /** Puts an archive into the folder of the web applications. An archive with the same name is replaced, and is never missing. */
    void put(Path archive, String name) throws IOException {
        Path beside = Files.copy(archive, folder.resolveSibling(name), StandardCopyOption.REPLACE_EXISTING);
        Files.move(beside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    void remove(String name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    /** Returns the number of log lines that contain {@code words}. */
    long countLines(String words) throws IOException {
        return log().lines().filter(line -> line.contains(words)).count();
    }

    String log() throws IOException {
        return Files.readString(log, Charset.defaultCharset());
    }

    /** Returns the warnings and errors in the log. */
    List<String> warnings() throws IOException {
        return WARNING.matcher(log()).results().map(found -> found.group()).toList();
    }

    /** Returns the number of class loaders of applications that are in memory after a full garbage collection. */
    int loaders() throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(tool("jcmd"), Long.toString(process.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram = new String(asked.getInputStream().readAllBytes(), Charset.defaultCharset());
        if (asked.waitFor() != 0) {
            throw new IOException(histogram);
        }
        Matcher found = LOADERS.matcher(histogram);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    /** Ends the process like {@code kill} without options, and waits until the process has ended. */
    void stop() throws InterruptedException, TimeoutException {
        process.toHandle().destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("the server has not ended");
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
