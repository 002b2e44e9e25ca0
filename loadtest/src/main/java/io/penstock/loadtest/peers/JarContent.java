package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The content with which {@code penstock.jar} is started, and the page that is requested after the start.
 *
 * <p>Thread: one thread at a time.
 *
 * @param options the JVM options in addition to the options of {@link RunnableJar#jvm}
 * @param served the folder or WAR that the jar serves
 * @param path the path of the page, which must exist
 */
public record JarContent(RunnableJar jar, List<String> options, Path served, String path) {
    private static final String FILE = "start.txt";
    private static final int FILE_BYTES = 1000;

    /** Returns content that consists of the folder. Adds a small file to the folder. This file is the page that is requested. */
    public static JarContent ofFolder(RunnableJar jar, ContentFolder content) throws IOException {
        content.add(FILE, FILE_BYTES);
        return new JarContent(jar, List.of(), content.files(), "/" + FILE);
    }

    /** Returns content that consists of an application. The application must have a page at {@code /}. */
    public static JarContent ofWar(RunnableJar jar, Path war) {
        return new JarContent(jar, List.of(), war, "/");
    }

    /** Creates a class-data archive, and returns the same content with this archive; see {@link RunnableJar#train}. */
    public JarContent withArchive(Path archive) throws IOException, InterruptedException {
        return new JarContent(jar, List.of(jar.train(archive, served)), served, path);
    }

    /** Starts the jar once; see {@link RunnableJar#start}. */
    public RunnableJar.Start start() throws IOException, InterruptedException {
        return jar.start(options, served, path);
    }
}
