package io.penstock.loadtest.peers;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of the servers' programs.
 *
 * @param folder holds a jar for each server, and the runnable jar with an application in {@code runnable/}
 */
public record PeersFolder(Path folder) {

    /** Beside {@code loadtest.jar}, where the build puts it. */
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

    /** The program of a server. */
    public Path jar(Server server) throws ServerFailure {
        return file(server.jar());
    }

    /** {@code penstock.jar} as users run it. */
    public Path runnableJar() throws ServerFailure {
        return file("runnable/penstock.jar");
    }

    /** An application for it. */
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
