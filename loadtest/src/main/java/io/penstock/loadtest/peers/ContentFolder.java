package io.penstock.loadtest.peers;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A temporary folder with the files that servers serve under {@code /files/}.
 *
 * <p>Owns: the folder, which is deleted when this object is closed.
 */
public final class ContentFolder implements AutoCloseable {
    private static final byte[] LINE =
            "A slow client never costs a thread: no thread waits for bytes it has not sent.\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private final Path root;

    private ContentFolder(Path root) {
        this.root = root;
    }

    public static ContentFolder create() throws IOException {
        Path root = Folders.create("penstock-content-");
        ContentFolder content = new ContentFolder(root);
        Files.createDirectory(content.files());
        return content;
    }

    /** The folder for {@link ServerOptions#root}. */
    public Path root() {
        return root;
    }

    public Path files() {
        return root.resolve("files");
    }

    /**
     * Adds a text file of the given size.
     *
     * @return the path of the file in requests
     */
    public String add(String name, long bytes) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(files().resolve(name)))) {
            for (long left = bytes; left > 0; left -= LINE.length) {
                out.write(LINE, 0, (int) Math.min(left, LINE.length));
            }
        }
        return "/files/" + name;
    }

    @Override
    public void close() throws IOException {
        Folders.delete(root);
    }
}
