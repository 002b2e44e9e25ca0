package io.penstock.context;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A context's private temporary directory; one that the context made itself is deleted with all that is in it. */
record ScratchFolder(Path path, Owner owner) {

    /** Who deletes the directory. */
    enum Owner {
        CONTEXT,
        DEPLOYER
    }

    static ScratchFolder open(@Nullable Path given) throws IOException {
        if (given != null) {
            return new ScratchFolder(Files.createDirectories(given), Owner.DEPLOYER);
        }
        return new ScratchFolder(Files.createTempDirectory("penstock-"), Owner.CONTEXT);
    }

    void close() throws IOException {
        if (owner == Owner.DEPLOYER || !Files.exists(path)) {
            return;
        }
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
