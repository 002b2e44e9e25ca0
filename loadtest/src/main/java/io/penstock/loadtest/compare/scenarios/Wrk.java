package io.penstock.loadtest.compare.scenarios;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The load generator {@code wrk}, with one thread as ours has, unless more are wanted.
 *
 * @param program its file
 */
record Wrk(Path program) {
    private static final Duration MARGIN = Duration.ofSeconds(20);

    /**
     * Looks for it in the folders of a search path.
     *
     * @throws IOException with one line that says what to do if it is in none
     */
    static Wrk find(@Nullable String searchPath) throws IOException {
        return Arrays.stream((searchPath == null ? "" : searchPath).split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "wrk"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Wrk::new)
                .orElseThrow(() -> new IOException("There is no wrk on the PATH to compare with: install wrk"));
    }

    /** Loads that address for whole seconds. */
    WrkOutput load(URI address, int connections, int seconds) throws IOException, InterruptedException {
        return load(address, connections, seconds, 1);
    }

    /** The same with so many threads, which share the connections. */
    WrkOutput load(URI address, int connections, int seconds, int threads) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(program.toString(), "-t" + threads, "-c" + connections, "-d" + seconds + "s", "--latency"));
        command.add(address.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            // Less than a pipe holds, so that it can be read when all is over.
            if (!process.waitFor(seconds + MARGIN.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("wrk has not ended " + MARGIN.toSeconds() + " s after its time");
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException("wrk has failed: " + output.strip());
            }
            return WrkOutput.parse(output);
        } catch (IllegalArgumentException unknown) {
            throw new IOException(unknown.getMessage(), unknown);
        } finally {
            process.destroyForcibly();
        }
    }
}
