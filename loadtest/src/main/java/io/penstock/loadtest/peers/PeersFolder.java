package io.penstock.loadtest.peers;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder with the programs of the servers.
 *
 * @param folder a folder that contains a jar for each server; its subfolder {@code runnable/} contains {@code penstock.jar} and an
 *     application for it
 */
public record PeersFolder(Path folder) {

    /** Returns the folder {@code peers} in the folder of {@code loadtest.jar}, where the build creates it. */
    public static PeersFolder besideProgram() {
        try {
            Path program = Path.of(PeersFolder.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return new PeersFolder(program.resolveSibling("peers"));
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("The location on the class path is not a URI", impossible);
        }
    }

    public Path jar(Server server) throws ServerFailure {
        return file(server.jar());
    }

    /** The file {@code penstock.jar}, which users run from a command line. */
    public Path runnableJar() throws ServerFailure {
        return file("runnable/penstock.jar");
    }

    public Path sampleWebapp() throws ServerFailure {
        return file("runnable/sample-webapp.war");
    }

    private Path file(String name) throws ServerFailure {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new ServerFailure(
                    "No such file: " + file + "; run 'mvn -DskipTests package' first, or name the folder with --peers");
        }
        return file;
    }
}
