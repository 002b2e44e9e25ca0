package io.penstock.experiments.io.measure;

import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.peers.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;

/** Runs a separate JVM with the class path of this JVM. The separate JVM ends before the method returns. */
public final class ChildProcess {
    private static final List<String> OPTIONS = List.of("-Xmx512m");

    private ChildProcess() {}

    /**
     * Runs a main class, waits for the end of the process, and returns the lines that it has printed to standard output and standard error.
     */
    public static List<String> run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        Process process = ChildJvm.withOwnClasses(OPTIONS, main, arguments)
                .redirectErrorStream(true)
                .start();
        Interruption interruption = new Interruption(process::destroyForcibly);
        try (BufferedReader out = process.inputReader()) {
            process.getOutputStream().close();
            List<String> printed = out.lines().toList();
            process.waitFor();
            return printed;
        } finally {
            process.destroyForcibly();
            interruption.close();
        }
    }
}
