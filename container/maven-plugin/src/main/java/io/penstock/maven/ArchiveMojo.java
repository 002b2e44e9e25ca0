package io.penstock.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** A goal that serves the archive of a web application. */
abstract class ArchiveMojo extends ServerMojo {
    /** The archive to serve, instead of the archive of the project. */
    @Parameter(property = "penstock.war")
    private @Nullable File war;

    @Override
    final boolean isFor(ServedProject served) {
        return war != null || served.isWebApplication();
    }

    @Override
    final Launch launch(ServedProject served) throws IOException, MojoExecutionException {
        File archive = war != null ? war : project().getArtifact().getFile();
        // An earlier run of Maven might have packed the archive.
        if (archive == null) {
            archive = new File(
                    project().getBuild().getDirectory(), project().getBuild().getFinalName() + ".war");
        }
        if (!Files.isRegularFile(archive.toPath())) {
            throw new MojoExecutionException("No such file: " + archive + "; the phase package makes it");
        }
        return archive(archive.toPath());
    }

    abstract Launch archive(Path war) throws IOException;
}
