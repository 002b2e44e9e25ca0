package io.penstock.maven;

import io.penstock.log.LogProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Where the process of a {@link ForkedServer} begins: {@code ForkedMain FILE}. It ends with its standard input. */
public final class ForkedMain {
    /** Begins the line that says that the server serves. */
    static final String PORT = "penstock-port=";

    private ForkedMain() {}

    public static void main(String[] args) throws IOException {
        LogProvider.install();
        Properties launch = new Properties();
        try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
            launch.load(in);
        }
        try (Launch.Started started = Launch.of(launch).start()) {
            System.out.println(PORT + started.server().port());
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (LaunchException e) {
            System.err.println("penstock: " + e.getMessage());
            System.exit(1);
        }
    }
}
