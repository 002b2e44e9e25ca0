package io.penstock.loadtest.peers;

import io.penstock.loadtest.client.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The least that a server can do on this machine, to measure servers against: one thread of C that answers every request with the
 * same 13 bytes ({@code epoll_loop.c} beside this class). It is compiled at its first use.
 *
 * <p>Thread: one at a time. Owns: the process, and the folder of its program.
 */
public final class EpollLoop implements AutoCloseable {
    /** The C compiler, by the name that POSIX has for it. */
    public static final String COMPILER = "cc";

    private static final String SOURCE = "epoll_loop.c";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final Path folder;
    private final Process process;
    private final int port;

    private EpollLoop(Path folder, Process process, int port) {
        this.folder = folder;
        this.process = process;
        this.port = port;
    }

    /** @throws ServerFailure if it cannot be compiled or does not listen; the message has the compiler's output */
    public static EpollLoop start() throws IOException, InterruptedException {
        Path folder = Folders.create("penstock-epoll-");
        try {
            compile(folder);
            Process process = new ProcessBuilder(folder.resolve("epoll_loop").toString())
                    .redirectErrorStream(true)
                    .start();
            return new EpollLoop(folder, process, port(process));
        } catch (IOException | InterruptedException failed) {
            Folders.delete(folder);
            throw failed;
        }
    }

    private static void compile(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve(SOURCE);
        try (InputStream in = Objects.requireNonNull(EpollLoop.class.getResourceAsStream(SOURCE))) {
            Files.copy(in, source);
        }
        Process compiler = new ProcessBuilder(
                        COMPILER, "-O2", "-o", folder.resolve("epoll_loop").toString(), source.toString())
                .redirectErrorStream(true)
                .start();
        compiler.getOutputStream().close();
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) {
            throw new ServerFailure("The C epoll loop cannot be compiled: " + words.strip());
        }
    }

    private static int port(Process process) throws IOException {
        // The program writes only this line, so no thread needs to read on.
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = reader.readLine();
        if (line == null || !line.startsWith(ServerProcess.READY)) {
            process.destroyForcibly();
            throw new ServerFailure("The C epoll loop does not listen: " + line);
        }
        return Integer.parseInt(line.substring(ServerProcess.READY.length()));
    }

    public long pid() {
        return process.pid();
    }

    /** The answer is the same for every path. */
    public Target target(String path) {
        return Target.of(URI.create("http://127.0.0.1:" + port + path));
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            ChildJvm.awaitEnd(process, STOP_PATIENCE);
        } finally {
            Folders.delete(folder);
        }
    }
}
