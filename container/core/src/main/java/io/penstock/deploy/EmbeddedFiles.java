package io.penstock.deploy;

import io.penstock.context.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a context made in code.
 *
 * @param root a folder or an archive with the files, or null if the context has no files
 * @param libraries the jars and the folders of classes whose {@code META-INF/resources} are served
 * @param serving whether clients can request the files, at paths without a servlet
 * @param mimeTypes the media types by file extension. The extension has no dot
 */
public record EmbeddedFiles(@Nullable Path root, List<Path> libraries, Serving serving, Map<String, String> mimeTypes) {
    public static final EmbeddedFiles NONE = new EmbeddedFiles(null, List.of(), Serving.ON, Map.of());

    /** Whether clients can request the files. */
    public enum Serving {
        ON,
        OFF
    }

    public EmbeddedFiles {
        libraries = List.copyOf(libraries);
        mimeTypes = Map.copyOf(mimeTypes);
    }

    /** @throws DeploymentException if the folder does not exist */
    Resources open() throws DeploymentException, IOException {
        if (root != null && !Files.exists(root)) {
            throw new DeploymentException(root + ": no such folder");
        }
        return Resources.ofProgram(root, libraries);
    }
}
