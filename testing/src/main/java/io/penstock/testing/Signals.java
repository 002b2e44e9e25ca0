package io.penstock.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Sends signals to processes, on systems that have signals. The shell's built-in {@code kill} sends them, since not
 * every machine has a program {@code kill}.
 */
public final class Signals {
    private Signals() {}

    /**
     * Sends a signal to processes, and returns whether all of them got it. A process that has ended gets none.
     *
     * @param name without SIG
     */
    public static boolean send(String name, long... pids) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "sh", name));
        LongStream.of(pids).mapToObj(Long::toString).forEach(command::add);
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
