package io.penstock.loadtest.peers;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process of Redis that this program starts. It is empty at the start, keeps data only in memory, and listens on 127.0.0.1.
 *
 * <p>Thread: one thread at a time. Owns: the process, and the folder in which it runs. The process ends when this object is closed, or when
 * this JVM ends.
 */
public final class RedisServer implements AutoCloseable {
    private static final String PROGRAM = "redis-server";
    private static final Duration START_PATIENCE = Duration.ofMinutes(1);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
    private static final int ANSWER_MILLIS = 10_000;
    private static final long BETWEEN_TRIES_MILLIS = 10;

    private final Process process;
    private final Path folder;
    private final int port;

    private RedisServer(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /** @throws ServerFailure if the program is missing, or Redis does not answer in time */
    public static RedisServer start() throws IOException, InterruptedException {
        Path folder = Folders.create("penstock-redis-");
        RedisServer redis;
        try {
            int port = RunnableJar.freePort();
            List<String> command =
                    new ArrayList<>(List.of((PROGRAM + " --bind 127.0.0.1 --appendonly no --port " + port).split(" ")));
            command.addAll(List.of("--dir", folder.toString(), "--save", ""));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("redis.log").toFile())
                    .start();
            ChildJvm.endWithThisJvm(process);
            redis = new RedisServer(process, folder, port);
        } catch (IOException absent) {
            Folders.delete(folder);
            throw new ServerFailure(
                    "The program " + PROGRAM + " is not installed; on Debian use: apt-get install redis-server",
                    absent);
        }
        try {
            redis.awaitAnswer();
            return redis;
        } catch (IOException | InterruptedException failed) {
            redis.close();
            throw failed;
        }
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (process.isAlive() && System.nanoTime() - begun < START_PATIENCE.toNanos()) {
            try {
                ask("PING");
                return;
            } catch (IOException notYet) {
                Thread.sleep(BETWEEN_TRIES_MILLIS);
            }
        }
        throw new ServerFailure(PROGRAM + " has not started: "
                + Files.readString(folder.resolve("redis.log")).strip());
    }

    /** The URL of this Redis, such as {@code redis://127.0.0.1:6379}. */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    public long pid() {
        return process.pid();
    }

    /** The number of bytes that Redis has allocated. */
    public long usedMemory() throws IOException {
        return Long.parseLong(info("memory").getOrDefault("used_memory", "0"));
    }

    /** The number of bytes that Redis has read from its clients and written to them so far. */
    public long traffic() throws IOException {
        Map<String, String> stats = info("stats");
        return Long.parseLong(stats.getOrDefault("total_net_input_bytes", "0"))
                + Long.parseLong(stats.getOrDefault("total_net_output_bytes", "0"));
    }

    /** The number of calls of each command so far, including calls by scripts. The keys are the names of the commands in lower case. */
    public Map<String, Long> calls() throws IOException {
        Map<String, Long> calls = new TreeMap<>();
        info("commandstats").forEach((name, figures) -> {
            // A line is, for example: cmdstat_hget:calls=2,usec=4,...
            String count = figures.replaceFirst("^calls=([0-9]+),.*", "$1");
            calls.put(name.replaceFirst("^cmdstat_", ""), Long.valueOf(count));
        });
        return calls;
    }

    private Map<String, String> info(String section) throws IOException {
        Map<String, String> values = new TreeMap<>();
        ask("INFO " + section).lines().filter(line -> line.contains(":")).forEach(line -> {
            int colon = line.indexOf(':');
            values.put(line.substring(0, colon), line.substring(colon + 1));
        });
        return values;
    }

    /** Sends one command on a new connection, and returns the answer, which is a simple string or a bulk string. */
    private String ask(String command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String first = line(in);
            if (first.startsWith("-")) {
                throw new IOException("Redis rejects " + command + ": " + first);
            }
            if (!first.startsWith("$")) {
                return first.substring(1);
            }
            byte[] bulk = in.readNBytes(Integer.parseInt(first.substring(1)));
            return new String(bulk, StandardCharsets.UTF_8);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("Redis has closed the connection");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        ChildJvm.awaitEnd(process, STOP_PATIENCE);
        Folders.delete(folder);
    }
}
