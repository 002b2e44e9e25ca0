package io.penstock.loadtest.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code penstock.jar} and what it serves. It is started in a new JVM in the same way as users start it from a command line, and gets one
 * request.
 *
 * <p>Thread: one thread at a time.
 *
 * @param jvm the JVM and its options
 * @param options further options of the JVM
 * @param served a folder or a WAR
 * @param path the path of the page that is requested, which must exist
 */
public record RunnableJar(JvmSettings jvm, Path jar, List<String> options, Path served, String path) {
    private static final Duration TRAIN_PATIENCE = Duration.ofMinutes(2);
    private static final Duration START_PATIENCE = Duration.ofMinutes(3);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final long BETWEEN_TRIES_MILLIS = 1;
    private static final Pattern ARCHIVE_OPTION = Pattern.compile("Start with: java (\\S+) -jar ");
    private static final String FILE = "start.txt";
    private static final int FILE_BYTES = 1000;

    /**
     * The measurements of one start.
     *
     * @param listens the time from the launch of the JVM until the server accepts a connection
     * @param answered the time from the launch of the JVM until the status of the first response has arrived
     * @param account the processor time, memory and threads of the process directly after the first response
     */
    public record Start(Duration listens, Duration answered, ProcessAccount account) {}

    /** The jar serves the folder, to which a small file is added. This file is the page that is requested. */
    public static RunnableJar withFolder(JvmSettings jvm, Path jar, ContentFolder content) throws IOException {
        content.add(FILE, FILE_BYTES);
        return new RunnableJar(jvm, jar, List.of(), content.files(), "/" + FILE);
    }

    /** The jar serves an application, which must have a page at {@code /}. */
    public static RunnableJar withWar(JvmSettings jvm, Path jar, Path war) {
        return new RunnableJar(jvm, jar, List.of(), war, "/");
    }

    /**
     * Creates a class-data archive with the option {@code --train}, and returns the jar with the JVM option that uses it.
     *
     * @param archive the file to create
     * @throws ServerFailure if there is no archive after two minutes
     */
    public RunnableJar withArchive(Path archive) throws IOException, InterruptedException {
        Path output = Files.createTempFile("penstock-train-", ".log");
        Process process = launch(List.of("--train", "--train-to", absolute(archive), absolute(served)), output);
        try {
            boolean ended = process.waitFor(TRAIN_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            String text = Files.readString(output);
            Matcher option = ARCHIVE_OPTION.matcher(text);
            if (!ended || process.exitValue() != 0 || !option.find()) {
                throw new ServerFailure(jar + " --train has not made an archive: " + text.strip());
            }
            return new RunnableJar(jvm, jar, List.of(option.group(1)), served, path);
        } finally {
            end(process, output);
        }
    }

    /**
     * Starts the jar, requests the page as soon as the server accepts a connection, and ends the process.
     *
     * @throws ServerFailure if the server does not listen within three minutes or answer within a minute, or if the status is not 200
     */
    public Start start() throws IOException, InterruptedException {
        int port = freePort();
        Path output = Files.createTempFile("penstock-start-", ".log");
        long begun = System.nanoTime();
        Process process =
                launch(List.of("--host", "127.0.0.1", "--port", Integer.toString(port), absolute(served)), output);
        try (Socket client = connected(process, port, begun, output)) {
            Duration listens = Duration.ofNanos(System.nanoTime() - begun);
            Duration answered = Duration.ofNanos(FirstRequest.send(client, path) - begun);
            return new Start(listens, answered, ProcessAccount.of(process.pid()));
        } finally {
            end(process, output);
        }
    }

    private Process launch(List<String> arguments, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(jvm.java().toString()));
        command.addAll(jvm.options());
        command.addAll(options);
        command.addAll(List.of("-jar", absolute(jar)));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        ChildJvm.endWithThisJvm(process);
        return process;
    }

    /** Returns a port that is free now. If another program takes the port before the server does, the start fails. */
    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private Socket connected(Process process, int port, long begun, Path output)
            throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        while (process.isAlive() && System.nanoTime() - begun < START_PATIENCE.toNanos()) {
            Socket socket = new Socket();
            try {
                socket.connect(address);
                return socket;
            } catch (ConnectException notYet) {
                socket.close();
                Thread.sleep(BETWEEN_TRIES_MILLIS);
            }
        }
        throw new ServerFailure(
                jar + " has not started: " + Files.readString(output).strip());
    }

    private static void end(Process process, Path output) throws IOException {
        process.destroy();
        ChildJvm.awaitEnd(process, STOP_PATIENCE);
        Files.delete(output);
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().toString();
    }

    /** Sends the first request to a server that has just started. Thread: any; the methods block. */
    public static final class FirstRequest {
        private static final Duration PATIENCE = Duration.ofSeconds(60);
        private static final String OK = "HTTP/1.1 200 ";

        private FirstRequest() {}

        /** Does the same as {@link #send(Socket, String)}, over a new connection to 127.0.0.1. */
        public static long send(int port, String path) throws IOException {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return send(client, path);
            }
        }

        /**
         * Requests a page, and reads the whole response.
         *
         * @return the {@link System#nanoTime()} at which the status of the response had arrived
         * @throws ServerFailure if the status is not 200
         */
        static long send(Socket client, String path) throws IOException {
            client.setSoTimeout((int) PATIENCE.toMillis());
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream response = client.getInputStream();
            String status = new String(response.readNBytes(OK.length()), StandardCharsets.US_ASCII);
            final long answered = System.nanoTime();
            if (!status.equals(OK)) {
                throw new ServerFailure(
                        "The first request, for " + path + ", was answered with '" + status.strip() + "'");
            }
            response.transferTo(OutputStream.nullOutputStream());
            return answered;
        }
    }
}
