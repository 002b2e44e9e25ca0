package io.penstock.standalone;

import io.penstock.limits.OperatorFile;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates a class-data archive. With the archive, later starts need not parse and verify the classes of the jar. The training runs {@link
 * TrainingRun} in a separate process. The JVM of that process writes the archive at its end.
 *
 * <p>The archive is first written to a temporary file in the folder of the final file. The file is renamed when the archive is complete. So
 * a running server keeps its mapped archive, and the former archive still exists after a failed training.
 *
 * <p>Thread: the thread that calls {@link #run}.
 *
 * @param arguments the arguments of the command line, unchanged
 * @param archiveFile the file of the archive; null for the file beside the jar
 */
record Training(List<String> arguments, @Nullable Path archiveFile, PrintWriter out) {
    /**
     * The beginnings of the JVM options that the training process does not get. These are options for other archives and agents, and
     * options with files or ports that this process uses.
     */
    private static final List<String> NOT_PASSED_ON = List.of(
            "-XX:SharedArchiveFile",
            "-XX:ArchiveClassesAtExit",
            "-XX:+AutoCreateSharedArchive",
            "-XX:AOT",
            "-XX:StartFlightRecording",
            "-Xshare",
            "-Xlog",
            "-Xrun",
            "-agent",
            "-javaagent",
            "-Dcom.sun.management.");

    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

    /** @param lastLine the last line of the JVM's output; it is the reason if the JVM has not created the archive */
    private record Ended(int exitCode, String lastLine) {}

    /**
     * Returns the exit code of the training run. The code is {@link ExitCode#OK} if the archive was created. Otherwise, the training run
     * has printed the reason.
     *
     * @throws OperatorException if this Java or the archive's folder does not permit the training
     */
    ExitCode run() {
        ArchiveKind kind = ArchiveKind.ofThisJvm();
        Path jar = jar();
        Path java = java(kind);
        Path archive =
                archiveFile == null ? jar.resolveSibling("penstock" + kind.suffix()) : archiveFile.toAbsolutePath();
        Path unfinished = unfinished(archive);
        try {
            Ended ended = run(command(java, kind.toMake(unfinished), jar));
            if (ended.exitCode == ExitCode.USAGE.number()) {
                return ExitCode.USAGE;
            } else if (ended.exitCode == ExitCode.START_FAILED.number()) {
                return ExitCode.START_FAILED;
            } else if (ended.exitCode != ExitCode.OK.number() || !Files.exists(unfinished)) {
                throw failed("no archive was made (exit code " + ended.exitCode + "): " + ended.lastLine, null);
            }
            Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
            tell(archive, kind, jar);
            return ExitCode.OK;
        } catch (IOException e) {
            throw failed(OperatorFile.explained(e), e);
        } finally {
            delete(unfinished);
        }
    }

    private static OperatorException failed(String reason, @Nullable Throwable cause) {
        return new OperatorException(ExitCode.START_FAILED, CommandOption.TRAIN.written() + ": " + reason, cause);
    }

    // ---- requirements

    private static Path jar() {
        CodeSource source = Training.class.getProtectionDomain().getCodeSource();
        try {
            Path jar = Path.of(source.getLocation().toURI());
            if (Files.isRegularFile(jar)) {
                return jar;
            }
            throw failed("an archive is for penstock.jar, and this server runs from " + jar, null);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw failed("the file of penstock.jar cannot be found: " + source.getLocation(), e);
        }
    }

    /** Returns the launcher of this Java. Checks that this Java supports the kind of archive. */
    private static Path java(ArchiveKind kind) {
        Path home = Path.of(System.getProperty("java.home"));
        Path java = home.resolve("bin").resolve(IS_WINDOWS ? "java.exe" : "java");
        if (!Files.isExecutable(java)) {
            throw failed("this Java has no launcher: " + java, null);
        }
        Path own = home.resolve(IS_WINDOWS ? "bin" : "lib").resolve("server").resolve("classes.jsa");
        if (kind == ArchiveKind.CLASS_DATA && !Files.exists(own)) {
            throw failed("this Java lacks its own archive, " + own + "; " + java + " -Xshare:dump makes it", null);
        }
        return java;
    }

    /** Returns a name for a temporary file in the archive's folder. Checks that the folder is writable. */
    private static Path unfinished(Path archive) {
        Path folder = archive.getParent();
        if (folder == null || Files.isDirectory(archive)) {
            throw failed(archive + " is a folder", null);
        }
        try {
            Path file = Files.createTempFile(folder, "penstock", ".unfinished");
            // The JVM creates the file again, with the usual permissions.
            Files.delete(file);
            return file;
        } catch (IOException e) {
            String reason = e instanceof NoSuchFileException ? "no such folder" : OperatorFile.reason(e);
            throw failed(
                    "cannot write to " + folder + ": " + reason + " (" + CommandOption.TRAIN_TO.written()
                            + " FILE writes elsewhere)",
                    e);
        }
    }

    // ---- the other process

    private List<String> command(Path java, String toMake, Path jar) {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (NOT_PASSED_ON.stream().noneMatch(option::startsWith)) {
                command.add(option);
            }
        }
        command.addAll(List.of(toMake, "-cp", jar.toString(), TrainingRun.class.getName()));
        command.addAll(arguments);
        return command;
    }

    /** Runs the training process. That process uses the error stream of this process. */
    private static Ended run(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeAll(ArchiveKind.VARIABLES);
        Process process = builder.start();
        Thread end = new Thread(process::destroy, "end-of-training");
        // The training process must end together with this process.
        Runtime.getRuntime().addShutdownHook(end);
        String last = "";
        try (BufferedReader output = process.inputReader(Charset.defaultCharset())) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                last = line;
            }
            int exitCode = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(end);
            return new Ended(exitCode, last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroy();
        }
    }

    private void tell(Path archive, ArchiveKind kind, Path jar) throws IOException {
        String use = kind.toUse(archive);
        out.println("Trained: " + archive + " (" + (Files.size(archive) >> 20)
                + " MB), for this Java and this penstock.jar only. Start with: java " + use + " -jar " + jar
                + ", or set JDK_JAVA_OPTIONS=" + use);
    }

    private static void delete(Path unfinished) {
        try {
            Files.deleteIfExists(unfinished);
        } catch (IOException e) {
            throw failed("cannot delete " + unfinished + ": " + OperatorFile.reason(e), e);
        }
    }
}
