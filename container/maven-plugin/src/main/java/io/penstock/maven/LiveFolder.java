package io.penstock.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.CRC32;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/**
 * The folder for files of a running server, for example stored sessions. The files remain after the end of the server. The folder is
 * outside the project's folder {@code target}, because {@code mvn clean} in another terminal deletes {@code target}.
 */
record LiveFolder(Path path) {

    /**
     * Returns the folder of a project. Only the user can access a new folder.
     *
     * @param configured the configured folder; null for a folder in the user's home, with a different name for each project
     */
    static LiveFolder of(MavenProject project, @Nullable File configured) throws IOException {
        Path folder = configured != null
                ? configured.toPath()
                : Path.of(System.getProperty("user.home"), ".penstock", "development", name(project));
        return new LiveFolder(made(folder));
    }

    private static String name(MavenProject project) {
        CRC32 ofPath = new CRC32();
        ofPath.update(project.getBasedir().getAbsolutePath().getBytes(StandardCharsets.UTF_8));
        return project.getArtifactId() + "-" + Long.toHexString(ofPath.getValue());
    }

    Path sessions() throws IOException {
        return made(path.resolve("sessions"));
    }

    /** An empty folder, for a project without web files. */
    Path noFiles() throws IOException {
        return made(path.resolve("no-files"));
    }

    /** A folder for the unpacked files of one WAR. Each WAR has a different folder. */
    Path overlay(Artifact war) throws IOException {
        String classifier = war.hasClassifier() ? "-" + war.getClassifier() : "";
        return made(path.resolve("overlays")).resolve(war.getGroupId() + "-" + war.getArtifactId() + classifier);
    }

    private static Path made(Path folder) throws IOException {
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownersAlone = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        return Files.createDirectories(folder, ownersAlone);
    }
}
