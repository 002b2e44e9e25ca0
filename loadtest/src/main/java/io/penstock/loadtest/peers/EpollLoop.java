package io.penstock.loadtest.peers;

import io.penstock.loadtest.client.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A minimal server in C, which is the reference for the other servers. Its single thread answers every request with the same 13 bytes. Its
 * source code is {@code epoll_loop.c} in the folder of this class, and is compiled at each start.
 *
 * <p>Thread: one thread at a time. Owns: the process, and the compiled program.
 */
public final class EpollLoop implements Peer {
    private static final String SOURCE = "epoll_loop.c";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final CProgram program;
    private final Process process;
    private final int port;

    private EpollLoop(CProgram program, Process process, int port) {
        this.program = program;
        this.process = process;
        this.port = port;
    }

    /**
     * @throws ServerFailure if the program cannot be compiled, or does not listen; the message has the output of the compiler or program
     */
    public static EpollLoop start() throws IOException, InterruptedException {
        CProgram program = CProgram.compile(EpollLoop.class, SOURCE, "The C epoll loop");
        try {
            Process process = new ProcessBuilder(program.file().toString())
                    .redirectErrorStream(true)
                    .start();
            return new EpollLoop(program, process, port(process));
        } catch (IOException failed) {
            program.close();
            throw failed;
        }
    }

    private static int port(Process process) throws IOException {
        // The program writes only this line, so no thread needs to read more.
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = reader.readLine();
        if (line == null || !line.startsWith(ServerProcess.READY)) {
            process.destroyForcibly();
            throw new ServerFailure("The C epoll loop does not listen: " + line);
        }
        return Integer.parseInt(line.substring(ServerProcess.READY.length()));
    }

    @Override
    public long pid() {
        return process.pid();
    }

    /** Returns a target with the given path. The answer is the same for every path. */
    @Override
    public Target target(String path) {
        return Target.of(URI.create("http://127.0.0.1:" + port + path));
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            ChildJvm.awaitEnd(process, STOP_PATIENCE);
        } finally {
            program.close();
        }
    }
}
