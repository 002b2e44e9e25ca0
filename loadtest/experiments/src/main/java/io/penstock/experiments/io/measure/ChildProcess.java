package io.penstock.experiments.io.measure;

import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.peers.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;

/** A JVM of its own with the class path of this one; it never outlives the call. */
public final class ChildProcess {
    private static final List<String> OPTIONS = List.of("-Xmx512m");

    private ChildProcess() {}

    /** Everything that a main class prints to both streams; returns when the process has ended. */
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
