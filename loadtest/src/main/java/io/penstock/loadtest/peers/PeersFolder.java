package io.penstock.loadtest.peers;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of the servers' programs.
 *
 * @param folder holds one jar a server
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
            throw new IllegalStateException("The class path has a place that is no URI", impossible);
        }
    }

    /** The program of a server. */
    public Path jar(Server server) throws ServerFailure {
        Path jar = folder.resolve(server.jar());
        if (!Files.isRegularFile(jar)) {
            throw new ServerFailure(
                    "There is no " + jar + ": run 'mvn -DskipTests package' first, or name the folder with --peers");
        }
        return jar;
    }
}
