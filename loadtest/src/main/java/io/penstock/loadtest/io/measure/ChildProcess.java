package io.penstock.loadtest.io.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own with the class path of this one; it never outlives the call. */
public final class ChildProcess {
    private ChildProcess() {}

    /** Everything that a main class prints, lines of both streams; returns when the process has ended. */
    public static List<String> run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
        try (BufferedReader out = process.inputReader()) {
            process.getOutputStream().close();
            List<String> printed = out.lines().toList();
            process.waitFor();
            return printed;
        } finally {
            process.destroyForcibly();
            ShutdownHooks.remove(hook);
        }
    }
}
