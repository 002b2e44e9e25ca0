package io.penstock.deploy;

import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.part.JavaxMigration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts archives that were made for {@code javax.servlet}. Each converted archive is stored in a folder, under the hash of the original.
 * So each archive is converted only once. The code of the converted archives runs in the server. For this reason, only the server's user
 * may have write access to the folder. The contents of the folder can be deleted at any time.
 *
 * <p>Thread: any. A process can use archives that another process has converted.
 */
final class ConvertedArchives {
    private static final Logger LOG = LoggerFactory.getLogger(ConvertedArchives.class);
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final int BUFFER = 64 * 1024;

    private final Path folder;
    private final JavaxMigration migration;

    /**
     * @param folder the folder for the converted archives. A missing folder is created
     */
    ConvertedArchives(Path folder, JavaxMigration migration) {
        this.folder = folder;
        this.migration = migration;
    }

    /** Returns the converted archive. Its modification time is that of the original archive. */
    Path of(Path archive) throws DeploymentException {
        if (!ContextName.isArchive(archive)) {
            throw new DeploymentException("is converted only if its name ends with " + ContextName.ARCHIVE);
        }
        Path converted;
        try {
            makeFolder();
            String hash = hash(archive);
            converted = folder.resolve(hash + "-" + migration.version() + ContextName.ARCHIVE);
            if (!Files.isRegularFile(converted, LinkOption.NOFOLLOW_LINKS)) {
                convert(archive, hash, converted);
            }
            // Last-Modified and ETag of the unpacked files depend on the modification time of the archive. So the
            // converted archive gets the time of the original.
            Files.setLastModifiedTime(converted, Files.getLastModifiedTime(archive));
        } catch (IOException e) {
            throw new DeploymentException(
                    "cannot be converted in " + folder + " (" + Key.MIGRATED_DIR.id() + "): "
                            + OperatorFile.explained(e),
                    e);
        }
        return converted;
    }

    /** @param hash the hash of the archive that gives the converted archive its name */
    private void convert(Path archive, String hash, Path converted) throws DeploymentException, IOException {
        long begun = System.nanoTime();
        LOG.info("{}: is being converted from javax.servlet to jakarta.servlet, which can take a minute", archive);
        Path partial = Files.createTempFile(folder, "converting-", ContextName.ARCHIVE);
        try {
            migration.convert(archive, partial);
            if (!hash(archive).equals(hash)) {
                // Later deployments of the former archive would get the code of another one.
                throw new DeploymentException("has changed while it was converted");
            }
            Files.move(partial, converted, StandardCopyOption.ATOMIC_MOVE);
        } catch (RuntimeException e) {
            // The converter throws a RuntimeException if it cannot read the archive.
            throw new DeploymentException("cannot be converted: " + e, e);
        } finally {
            Files.deleteIfExists(partial);
        }
        LOG.info(
                "{}: converted from javax.servlet to jakarta.servlet in {} ms: {}",
                archive,
                (System.nanoTime() - begun) / 1_000_000,
                converted);
    }

    private void makeFolder() throws DeploymentException, IOException {
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder,
                    posix
                            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                            : new FileAttribute<?>[0]);
        }
        if (OperatorFile.othersCanWrite(folder)) {
            throw new DeploymentException(
                    Key.MIGRATED_DIR.id() + ": others can write to " + folder + ", and code from there would run here");
        }
    }

    private static String hash(Path archive) throws IOException {
        try (InputStream in = Files.newInputStream(archive)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            // This cannot happen: every Java platform has SHA-256.
            throw new IllegalStateException(e);
        }
    }
}
