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
 * Where the process of a {@link ForkedServer} begins: {@code ForkedMain LAUNCH READY}. When it serves, the file {@code READY} comes into being,
 * with a line for its port and one for its URL. It ends with its standard input.
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
