package io.penstock.maven;

import io.penstock.log.LogProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Properties;

/**
 * The main class of the process of a {@link ForkedServer}. The command is {@code ForkedMain LAUNCH READY}. {@code LAUNCH} is a file with
 * the properties of a {@link Launch}. When the server is ready, the process creates the file {@code READY}. The first line of this file is
 * the port, and the second line is the URL. The process ends when its standard input ends.
 */
public final class ForkedMain {
    private ForkedMain() {}

    public static void main(String[] args) throws IOException {
        LogProvider.install();
        Properties launch = new Properties();
        try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
            launch.load(in);
        }
        try (Launch.Started started = Launch.of(launch).start()) {
            Path ready = Path.of(args[1]);
            Path written = ready.resolveSibling(ready.getFileName() + ".part");
            Files.write(written, List.of(Integer.toString(started.server().port()), started.url()));
            Files.move(written, ready, StandardCopyOption.ATOMIC_MOVE);
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (LaunchException e) {
            System.err.println("penstock: " + e.getMessage());
            System.exit(1);
        }
    }
}
