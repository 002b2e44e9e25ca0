package io.penstock.loadtest.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Starts a JVM with the same classes as this JVM, and ends child processes. */
public final class ChildJvm {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "children left running"));
    }

    private ChildJvm() {}

    /** Ends the process by force when this JVM ends. This does not apply to a process for which {@link #awaitEnd} has been called. */
    public static void endWithThisJvm(Process process) {
        RUNNING.add(process);
    }

    /** Returns the command that runs another main class with the same Java and class path. */
    public static ProcessBuilder withOwnClasses(List<String> jvmOptions, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(JvmSettings.ownJava().toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    /**
     * Waits for the end of a process that has been told to end. Ends the process by force if it has not ended in time, or if the calling
     * thread is interrupted.
     */
    public static void awaitEnd(Process process, Duration patience) {
        try {
            if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly().waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException hurried) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            RUNNING.remove(process);
        }
    }
}
