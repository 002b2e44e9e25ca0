package io.penstock.loadtest.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Starts a JVM with the classes of this one, and ends child processes. */
public final class ChildJvm {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "children left running"));
    }

    private ChildJvm() {}

    /** Ends the process by force when this JVM ends, unless {@link #awaitEnd} has been called for it before. */
    static void endWithThisJvm(Process process) {
        RUNNING.add(process);
    }

    /** The command for the same Java and class path with another main class. */
    public static ProcessBuilder withOwnClasses(List<String> jvmOptions, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(JvmSettings.ownJava().toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    /**
     * Waits for the end of a process that was asked to end. Ends it by force if it takes longer, or if the caller is interrupted.
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
