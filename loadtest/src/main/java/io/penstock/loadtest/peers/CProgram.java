package io.penstock.loadtest.peers;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A C program whose source code is a resource of this jar. It is compiled at run time into a temporary folder.
 *
 * <p>Owns: the temporary folder, which is deleted when this object is closed.
 */
public final class CProgram implements Closeable {
    /** The command of the C compiler, with the usual name on Unix systems. */
    public static final String COMPILER = "cc";

    private final Path folder;

    private CProgram(Path folder) {
        this.folder = folder;
    }

    /**
     * @param owner a class in the package of the source code
     * @param source the file name of the source code
     * @param title the description of the program in an error message
     * @param libraries options for the linker, such as {@code -lm}
     * @throws ServerFailure if the program cannot be compiled; the message has the output of the compiler
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

    public Path file() {
        return folder.resolve("program");
    }

    @Override
    public void close() throws IOException {
        Folders.delete(folder);
    }
}
