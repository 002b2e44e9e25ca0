package io.penstock.context;

import io.penstock.limits.OperatorFile;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One root of an application's files: a folder, an archive, or {@code META-INF/resources} of a jar. The methods do not check the syntax of
 * paths, because {@link Resources} has checked it before.
 *
 * <p>Thread: any. Owns: the file system of the jar, if the root is in a jar.
 */
final class ResourceRoot implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceRoot.class);

    private final RateLimitedLog unlisted = new RateLimitedLog();

    private final Path root;
    private final Resource.Kind kind;
    private final @Nullable FileSystem jar;
    private final RealPathCache realPaths = new RealPathCache(Clock.SYSTEM);

    private ResourceRoot(Path root, Resource.Kind kind, @Nullable FileSystem jar) {
        this.root = root;
        this.kind = kind;
        this.jar = jar;
    }

    static ResourceRoot ofFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString(), null, "is not a folder");
        }
        return new ResourceRoot(folder.toRealPath(), Resource.Kind.FILE, null);
    }

    /** A root with all entries of an archive. */
    static ResourceRoot ofArchive(Path file) throws IOException {
        FileSystem archive = opened(file);
        return new ResourceRoot(archive.getPath("/"), Resource.Kind.JAR_ENTRY, archive);
    }

    /** The root {@code META-INF/resources} of a jar or a folder; null if this folder does not exist. */
    static @Nullable ResourceRoot ofLibrary(Path library) throws IOException {
        if (!Files.isDirectory(library)) {
            return ofJar(library);
        }
        Path resources = library.resolve("META-INF").resolve("resources");
        return Files.isDirectory(resources) ? ofFolder(resources) : null;
    }

    private static FileSystem opened(Path file) throws IOException {
        try {
            return FileSystems.newFileSystem(file, Map.of());
        } catch (ZipException | RuntimeException e) {
            throw new IOException(file + " cannot be read as a jar: " + e.getMessage(), e);
        }
    }

    /** The root {@code META-INF/resources} of a jar; null if this folder does not exist. */
    static @Nullable ResourceRoot ofJar(Path file) throws IOException {
        FileSystem jar = opened(file);
        Path resources = jar.getPath("/META-INF/resources");
        if (Files.isDirectory(resources)) {
            return new ResourceRoot(resources, Resource.Kind.JAR_ENTRY, jar);
        }
        jar.close();
        return null;
    }

    @Nullable
    Resource find(String path) {
        Path known = realPaths.get(path);
        Resource found = known == null ? null : at(path, known);
        return found != null ? found : lookUp(path);
    }

    private @Nullable Resource lookUp(String path) {
        try {
            Path real = real(root.resolve(path.substring(1)));
            Resource found = real == null ? null : at(path, real);
            if (found != null) {
                realPaths.put(path, found.file());
            }
            return found;
        } catch (IOException | InvalidPathException | ClosedFileSystemException e) {
            LOG.trace("No resource at {}: {}", path, e.toString());
            return null;
        }
    }

    /** The resource at {@code real}; null if there is no resource, or if the path ends with a slash and the resource is not a directory. */
    private @Nullable Resource at(String path, Path real) {
        try {
            BasicFileAttributes found = Files.readAttributes(real, BasicFileAttributes.class);
            boolean directory = found.isDirectory();
            if (!directory && (!found.isRegularFile() || path.endsWith("/"))) {
                return null;
            }
            return new Resource(
                    directory && !path.endsWith("/") ? path + "/" : path,
                    real,
                    directory ? Resource.Kind.DIRECTORY : kind,
                    found.size(),
                    found.lastModifiedTime().toInstant());
        } catch (IOException | ClosedFileSystemException e) {
            LOG.trace("Nothing at {} for {}: {}", real, path, e.toString());
            return null;
        }
    }

    /**
     * The real path of the file, after links are followed. Null if the real path is outside the root, or if the letter case of {@code
     * named} is wrong.
     */
    private @Nullable Path real(Path named) throws IOException {
        if (jar != null) {
            return named;
        }
        Path real = named.toRealPath();
        boolean exact = named.toRealPath(LinkOption.NOFOLLOW_LINKS).equals(named);
        return exact && real.startsWith(root) ? real : null;
    }

    /** The members of a directory. The list is empty if the directory does not exist. The path must end with a slash. */
    List<String> list(String directory) {
        Resource found = find(directory);
        if (found == null) {
            return List.of();
        }
        List<String> members = new ArrayList<>();
        try (Stream<Path> files = Files.list(found.file())) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                Resource member = find(directory + (name.endsWith("/") ? name.substring(0, name.length() - 1) : name));
                if (member != null) {
                    members.add(member.path());
                }
            }
        } catch (IOException e) {
            unlisted.warn(LOG, "Directories cannot be listed", OperatorFile.explained(e), e);
        }
        return members;
    }

    /** The path of a file in this folder. The file need not exist. The result is null if a link leads out of the folder. */
    @Nullable
    Path locate(String path) {
        try {
            Path named = root.resolve(path.substring(1));
            Path existing = root;
            for (Path segment : root.relativize(named)) {
                Path next = existing.resolve(segment);
                if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                    break;
                }
                existing = next;
            }
            return existing.toRealPath().startsWith(root) ? named : null;
        } catch (IOException | InvalidPathException e) {
            LOG.trace("No real path for {}: {}", path, e.toString());
            return null;
        }
    }

    /** Whether the file is below this root, as {@link Resource#file} of each resource of this root is. */
    boolean has(Path file) {
        return file.startsWith(root);
    }

    @Override
    public void close() throws IOException {
        if (jar != null) {
            jar.close();
        }
    }
}
