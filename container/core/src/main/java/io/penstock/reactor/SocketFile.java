package io.penstock.reactor;

import io.penstock.limits.ListenAddress.BindAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of a Unix domain socket at which this server listens. The socket is made in a folder that only this process's user may enter,
 * gets its permissions there, and is then moved. So the file never has other permissions than the configured permissions. An existing file
 * is replaced if it is a socket at which no process listens.
 *
 * <p>Thread: the owner of the {@link Acceptor}. This object owns the file until another process replaces the file.
 */
final class SocketFile {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private final Path path;
    private final @Nullable Object identity; // null on file systems without permissions

    private SocketFile(Path path) throws IOException {
        this.path = path;
        this.identity = attributes(path).fileKey();
    }

    /** @throws IOException if the file belongs to another process, or if the file cannot be made. In this case no new file remains */
    static SocketFile bind(ServerSocketChannel channel, BindAddress.UnixSocket address, int backlog)
            throws IOException {
        Path path = address.file();
        removeStale(path);
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            channel.bind(UnixDomainSocketAddress.of(path), backlog);
            return new SocketFile(path);
        }
        Path folder = privateFolder(path);
        Path made = folder.resolve("s");
        try {
            channel.bind(UnixDomainSocketAddress.of(made), backlog);
            Files.setPosixFilePermissions(made, address.mode());
            Files.move(made, path);
        } finally {
            Files.deleteIfExists(made);
            Files.delete(folder);
        }
        return new SocketFile(path);
    }

    private static Path privateFolder(Path beside) throws IOException {
        // The name is short, because the path of a socket can have only about 100 characters.
        String name = String.format(".%08x", new SecureRandom().nextInt());
        try {
            return Files.createDirectory(beside.resolveSibling(name), PRIVATE);
        } catch (NoSuchFileException e) {
            throw new IOException("no such folder", e);
        } catch (AccessDeniedException e) {
            throw new IOException("the folder cannot be written to", e);
        }
    }

    private static void removeStale(Path path) throws IOException {
        BasicFileAttributes found;
        try {
            found = attributes(path);
        } catch (NoSuchFileException e) {
            return;
        }
        if (!isSocket(path, found)) {
            throw new IOException("the file exists, and is not a socket");
        }
        if (hasListener(path)) {
            throw new IOException("another process listens at the socket");
        }
        Files.delete(path);
    }

    private static boolean isSocket(Path path, BasicFileAttributes found) throws IOException {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? ((int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & FILE_TYPE) == SOCKET
                : found.isOther();
    }

    /** Returns whether a process listens at the path. This method does not block. */
    private static boolean hasListener(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException e) {
            // The connection was refused, so no process listens.
            return false;
        } catch (SocketException e) {
            // The backlog of the socket is full, or this process has no permission to connect. In both cases it is
            // possible that another process listens.
            throw new IOException("another process may listen there: " + e.getMessage(), e);
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes the file, unless another process has replaced it. */
    void remove() throws IOException {
        try {
            if (Objects.equals(identity, attributes(path).fileKey())) {
                Files.delete(path);
            }
        } catch (NoSuchFileException e) {
            // The file does not exist any more.
            return;
        }
    }
}
