package io.penstock.loadtest.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of C whose source is a resource. It is compiled where it is needed, into a temporary folder.
 *
 * <p>Owns: the folder, until it is closed.
 */
public final class CProgram implements AutoCloseable {
    /** The C compiler, by the name that POSIX has for it. */
    public static final String COMPILER = "cc";

    private final Path folder;

    private CProgram(Path folder) {
        this.folder = folder;
    }

    /**
     * @param owner the class beside whose file the source is
     * @param title in words, for a message
     * @param libraries options for the linker, such as {@code -lm}
     * @throws ServerFailure if it cannot be compiled; the message has the compiler's output
     */
    public static CProgram compile(Class<?> owner, String source, String title, String... libraries)
            throws IOException, InterruptedException {
        Path folder = Folders.create("penstock-c-");
        try {
            Path file = folder.resolve(source);
            try (InputStream in = owner.getResourceAsStream(source)) {
                if (in == null) {
                    throw new IllegalArgumentException("no source " + source + " beside " + owner);
                }
                Files.copy(in, file);
            }
            CProgram program = new CProgram(folder);
            compile(file, program.file(), title, List.of(libraries));
            return program;
        } catch (IOException | InterruptedException failed) {
            Folders.delete(folder);
            throw failed;
        }
    }

    private static void compile(Path source, Path program, String title, List<String> libraries)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(COMPILER, "-O2", "-o", program.toString(), source.toString()));
        command.addAll(libraries);
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            throw new ServerFailure(title + " needs the compiler " + COMPILER, absent);
        }
        compiler.getOutputStream().close();
        String words = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) {
            throw new ServerFailure(title + " cannot be compiled: " + words.strip());
        }
    }

    /** The compiled program. */
    public Path file() {
        return folder.resolve("program");
    }

    @Override
    public void close() throws IOException {
        Folders.delete(folder);
    }
}
