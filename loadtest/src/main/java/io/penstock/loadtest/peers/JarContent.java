package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The content with which {@code penstock.jar} is started, and the page that is then requested.
 *
 * <p>Thread: one at a time.
 *
 * @param options of the JVM, in addition to those of {@link RunnableJar#jvm}
 * @param served a folder or a WAR
 * @param path path of the page, which must exist
 */
public record JarContent(RunnableJar jar, List<String> options, Path served, String path) {
    private static final String FILE = "start.txt";
    private static final int FILE_BYTES = 1000;

    /** The folder, to which this method adds a small file. */
    public static JarContent ofFolder(RunnableJar jar, ContentFolder content) throws IOException {
        content.add(FILE, FILE_BYTES);
        return new JarContent(jar, List.of(), content.files(), "/" + FILE);
    }

    /** An application with a page at {@code /}. */
    public static JarContent ofWar(RunnableJar jar, Path war) {
        return new JarContent(jar, List.of(), war, "/");
    }

    /** The same content with a class-data archive, which this method makes; see {@link RunnableJar#train}. */
    public JarContent withArchive(Path archive) throws IOException, InterruptedException {
        return new JarContent(jar, List.of(jar.train(archive, served)), served, path);
    }

    /** Starts the jar once; see {@link RunnableJar#start}. */
    public RunnableJar.Start start() throws IOException, InterruptedException {
        return jar.start(options, served, path);
    }
}
