package io.penstock.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Sends signals to processes, on systems with signals. This class uses the built-in {@code kill} of the shell, because some machines have
 * no program {@code kill}.
 */
public final class Signals {
    private Signals() {}

    /**
     * Sends a signal to processes. Returns whether all processes got the signal. A process that has ended does not get the signal.
     *
     * @param name the name of the signal without SIG
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
