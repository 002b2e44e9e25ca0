package io.penstock.loadtest.peers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.loadtest.client.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs in its own JVM. It listens on 127.0.0.1 when {@link #start} returns.
 *
 * <p>Thread: one thread at a time.
 *
 * <p>Owns: the process, and the temporary folder in which it runs. The process ends when this object is closed, or when this JVM ends.
 *
 * <p>If the process has ended, methods throw a {@link ServerFailure} with the last lines of its output.
 */
public final class ServerProcess implements Peer {
    static final String READY = "READY ";
    private static final Duration START_PATIENCE = Duration.ofMinutes(3);
    private static final Duration ANSWER_PATIENCE = Duration.ofMinutes(3);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final Server server;
    private final JvmSettings jvm;
    private final ServerOptions options;
    private final Process process;
    private final Path temporary;
    private final Output output;
    private final Writer commands;
    private int port;
    private String version = "";
    private Duration startedIn = Duration.ZERO;

    private ServerProcess(Server server, JvmSettings jvm, ServerOptions options, Process process, Path temporary) {
        this.server = server;
        this.jvm = jvm;
        this.options = options;
        this.process = process;
        this.temporary = temporary;
        this.output = Output.of(process.getInputStream(), server.id());
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Starts a server whose program is in the folder {@code peers} beside this program. */
    public static ServerProcess start(Server server, JvmSettings jvm, ServerOptions options)
            throws IOException, InterruptedException {
        return start(server, PeersFolder.besideProgram(), jvm, options);
    }

    /** @throws ServerFailure if the server does not listen within three minutes */
    public static ServerProcess start(Server server, PeersFolder peers, JvmSettings jvm, ServerOptions options)
            throws IOException, InterruptedException {
        Path jar = peers.jar(server);
        Path temporary = Folders.create("penstock-peer-");
        long begun = System.nanoTime();
        Process process = launch(command(server, jar, temporary, jvm, options), temporary);
        // A server ends at the end of its standard input. A JVM that uses all its time for garbage collection would not
        // notice this end. Therefore the process is also ended by force.
        ChildJvm.endWithThisJvm(process);
        ServerProcess started = new ServerProcess(server, jvm, options, process, temporary);
        try {
            started.awaitReady(begun);
            return started;
        } catch (IOException | InterruptedException failed) {
            started.close();
            throw failed;
        }
    }

    private static List<String> command(
            Server server, Path jar, Path temporary, JvmSettings jvm, ServerOptions options) {
        List<String> command = new ArrayList<>();
        command.add(absolute(jvm.java()));
        command.addAll(jvm.options());
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("-jar", jar.toAbsolutePath().toString()));
        command.addAll(List.of(
                "--port",
                Integer.toString(options.port()),
                "--root",
                options.root().toAbsolutePath().toString()));
        command.addAll(settings(server, options));
        return command;
    }

    /**
     * Makes a relative path absolute, since the process runs in another folder. A command without a folder is found on the PATH, and is not
     * changed.
     */
    private static String absolute(Path java) {
        return java.getNameCount() == 1
                ? java.toString()
                : java.toAbsolutePath().toString();
    }

    private static List<String> settings(Server server, ServerOptions options) {
        List<String> settings = new ArrayList<>();
        settings.addAll(List.of("--settings", word(server.settings())));
        settings.addAll(List.of("--threads", word(server.threads())));
        settings.addAll(List.of("--workers", Integer.toString(options.workers())));
        settings.addAll(List.of("--send-buffer", Integer.toString(options.sendBuffer())));
        options.keyStore().ifPresent(file -> settings.addAll(List.of("--tls", file.toString())));
        if (options.http2()) {
            settings.addAll(List.of("--http2", "on"));
        }
        Map<String, String> own = new TreeMap<>(server.own());
        own.putAll(options.own());
        own.forEach((name, value) -> settings.addAll(List.of("--set", name + "=" + value)));
        return settings;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Process launch(List<String> command, Path folder) throws ServerFailure {
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException failed) {
            throw new ServerFailure("Cannot run " + command.get(0) + "; name a java command with --java", failed);
        }
    }

    private void awaitReady(long begun) throws ServerFailure, InterruptedException {
        Optional<String> ready = output.answer(START_PATIENCE);
        if (ready.isEmpty()) {
            String how = output.hasEnded()
                    ? " has not started; "
                    : " does not listen after " + START_PATIENCE.toSeconds() + " s; ";
            throw new ServerFailure(server.id() + how + output.lastLines());
        }
        startedIn = Duration.ofNanos(System.nanoTime() - begun);
        String[] words = ready.get().substring(READY.length()).split(" ", 2);
        port = Integer.parseInt(words[0]);
        version = words.length > 1 ? words[1] : server.id();
    }

    @Override
    public long pid() {
        return process.pid();
    }

    public int port() {
        return port;
    }

    /** The name and version that the server has reported, such as {@code Jetty 12.1.14}. */
    public String version() {
        return version;
    }

    public String title() {
        return server.title(version);
    }

    /** The command that started the server. Port and folders are left out or replaced by words, since they are different in each run. */
    public String commandLine() {
        List<String> words = new ArrayList<>(List.of("java"));
        words.addAll(jvm.options());
        words.addAll(List.of("-jar", server.jar()));
        words.addAll(settings(server, options));
        String line = String.join(" ", words)
                .replace(options.root().toString(), "ROOT")
                .replaceAll("redis://127\\.0\\.0\\.1:[0-9]+", "redis://127.0.0.1:PORT");
        return options.keyStore()
                .map(file -> line.replace(file.toString(), "KEYSTORE"))
                .orElse(line);
    }

    /** The size of the server's heap, in bytes. */
    public long heapBytes() {
        return jvm.heapBytes();
    }

    /** The time from the launch of the JVM until the server listens. */
    public Duration startedIn() {
        return startedIn;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public URI uri(String path) {
        return URI.create((options.keyStore().isPresent() ? "https" : "http") + "://127.0.0.1:" + port + path);
    }

    /** The target for a path and query on this server. */
    @Override
    public Target target(String path) {
        // A target does not contain the scheme, so http also works for TLS.
        return Target.of(URI.create("http://127.0.0.1:" + port + path));
    }

    /** The present figures that the server itself reports. */
    public Stats stats() throws ServerFailure, InterruptedException {
        return ask("stats");
    }

    /** Resets {@link Stats#callsMost} and {@link Stats#permitLongestMicros}. Later reports contain the maxima since this call. */
    public Stats reset() throws ServerFailure, InterruptedException {
        return ask("reset");
    }

    /** Runs a full garbage collection in the server, and returns the figures of {@link #stats} after it. */
    public Stats collect() throws ServerFailure, InterruptedException {
        return ask("collect");
    }

    /**
     * Does the same as {@link #collect}, but runs two garbage collections. The second removes objects that became unreachable during the
     * first, such as cleaned references.
     */
    public Stats collectTwice() throws ServerFailure, InterruptedException {
        collect();
        return collect();
    }

    /** The present figures of the process that the kernel reports. */
    public ProcessAccount account() throws ServerFailure {
        if (!process.isAlive()) {
            throw new ServerFailure(server.id() + " has ended; " + output.lastLines());
        }
        return ProcessAccount.of(process.pid());
    }

    private Stats ask(String question) throws ServerFailure, InterruptedException {
        try {
            send(question);
            Optional<String> answer = output.answer(ANSWER_PATIENCE);
            if (answer.isPresent()) {
                return Stats.parse(answer.get());
            }
        } catch (IOException gone) {
            throw new ServerFailure(server.id() + " has ended; " + output.lastLines(), gone);
        }
        throw new ServerFailure(server.id()
                + (output.hasEnded() ? " has ended; " : " does not answer '" + question + "'; ")
                + output.lastLines());
    }

    private void send(String line) throws IOException {
        commands.write(line + "\n");
        commands.flush();
    }

    /** Ends the process, by force if necessary, and deletes its temporary folder. */
    @Override
    public void close() throws IOException {
        try {
            if (process.isAlive()) {
                // The process ends at the end of its input. Closing this stream does not block, even if the pipe is
                // full.
                process.getOutputStream().close();
            }
            ChildJvm.awaitEnd(process, STOP_PATIENCE);
        } finally {
            Folders.delete(temporary);
        }
    }

    /**
     * Reads the output of a server's process. Some lines are answers to questions of {@link ServerProcess}. Of all other lines, the last
     * {@value #LINES_KEPT} are kept.
     *
     * <p>Thread: a daemon thread of this object reads the output. The methods can be called by any thread; {@link #answer}, by one thread
     * at a time.
     */
    static final class Output {
        private static final int LINES_KEPT = 20;
        /** Marks the end of the output. */
        private static final String END = "";

        private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

        @GuardedBy("last")
        private final Deque<String> last = new ArrayDeque<>();

        /** The first line that contains {@code OutOfMemoryError}; null if there is none. After this error, later lines are not useful. */
        @GuardedBy("last")
        private @Nullable String noMemory;

        private final InputStream in;
        // The number of questions whose answers have not been received. Answers arrive in the order of the questions.
        private int stale;

        private Output(InputStream in) {
            this.in = in;
        }

        static Output of(InputStream in, String name) {
            Output output = new Output(in);
            Thread reader = new Thread(output::read, "output of " + name);
            reader.setDaemon(true);
            reader.start();
            return output;
        }

        /**
         * Waits for the answer to the last question. Returns empty if the process has ended, or has not answered in time. A late answer is
         * ignored; it is not used as the answer to the next question.
         */
        Optional<String> answer(Duration patience) throws InterruptedException {
            long deadline = System.nanoTime() + patience.toNanos();
            // The question counts as unanswered until its answer has been read.
            stale++;
            String line = null;
            while (stale > 0) {
                line = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (line == null) {
                    return Optional.empty();
                }
                if (END.equals(line)) {
                    // The mark is added again, so that later calls also notice the end.
                    answers.add(END);
                    return Optional.empty();
                }
                stale--;
            }
            return Optional.ofNullable(line);
        }

        /** Whether the output has ended. */
        boolean hasEnded() {
            return answers.contains(END);
        }

        /**
         * The last lines that were not answers, joined to one line. If the process has run out of memory, only the line about this error.
         */
        String lastLines() {
            synchronized (last) {
                if (noMemory != null) {
                    return "it has run out of memory: " + noMemory;
                }
                return last.isEmpty() ? "it has printed nothing" : "its last lines: " + String.join(" | ", last);
            }
        }

        private void read() {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    if (line.startsWith(ServerProcess.READY) || line.startsWith(Stats.START)) {
                        answers.add(line); // Wakes the thread in answer().
                    } else if (!line.isBlank()) {
                        keep(line);
                    }
                }
            } catch (IOException ended) {
                keep("(" + ended.getMessage() + ")");
            } finally {
                answers.add(END); // Wakes the thread in answer(): no answer will come.
            }
        }

        private void keep(String line) {
            synchronized (last) {
                if (noMemory == null && line.contains("OutOfMemoryError")) {
                    noMemory = line.strip();
                }
                if (last.size() == LINES_KEPT) {
                    last.removeFirst();
                }
                last.addLast(line.strip());
            }
        }
    }

    /**
     * The figures that a server's process reports about itself.
     *
     * @param heapBytes the used bytes of the heap; of {@link ServerProcess#collect}, the bytes of all live objects
     * @param allocatedBytes the heap bytes that all live platform threads have allocated since their start; -1 if the JVM does not report
     *     this number
     * @param callsOpen the present number of running calls of {@code service}
     * @param callsMost the maximum of {@code callsOpen} since the last reset
     * @param permitLongestMicros the longest time for which a call of {@code /pooled} held its permit since the last reset, in
     *     microseconds; calls that hold a permit now are included
     * @param outdated the number of requests that were waiting when the server detected its overload, and were refused then; 0 for a server
     *     that does not count them
     */
    public record Stats(
            long heapBytes,
            long allocatedBytes,
            long callsOpen,
            long callsMost,
            long permitLongestMicros,
            long outdated) {
        static final String START = "STATS ";

        /** @throws IllegalArgumentException if the line is not a line of figures */
        static Stats parse(String line) {
            Map<String, Long> values = new HashMap<>();
            for (String pair : line.substring(START.length()).strip().split(" ")) {
                int equals = pair.indexOf('=');
                values.put(pair.substring(0, Math.max(0, equals)), Long.valueOf(pair.substring(equals + 1)));
            }
            return new Stats(
                    value(values, "heap"),
                    value(values, "allocated"),
                    value(values, "callsOpen"),
                    value(values, "callsMost"),
                    value(values, "permitLongestMicros"),
                    value(values, "outdated"));
        }

        private static long value(Map<String, Long> values, String name) {
            Long value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("A server does not report " + name);
            }
            return value;
        }
    }
}
