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
 * @param root a folder or an archive, or null for none
 * @param libraries jars, or folders of classes, with {@code META-INF/resources}
 * @param serving whether clients can get the files, at paths without a servlet
 * @param mimeTypes by extension, without its dot
 */
public record EmbeddedFiles(@Nullable Path root, List<Path> libraries, Serving serving, Map<String, String> mimeTypes) {
    public static final EmbeddedFiles NONE = new EmbeddedFiles(null, List.of(), Serving.ON, Map.of());

    /** Whether files are served. */
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
