package io.penstock.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes of a server start in a separate thread, before the start needs them. The loading and verification of classes takes half
 * of the start time, so a second processor shortens the start. The thread runs no static initialisers. So the thread affects only the start
 * time. If the JVM has an archive of classes, the thread loads nothing.
 *
 * <p>Each constant has a list of classes. The list is a resource in the package of this class, with one class name per line, in the order
 * of loading. A test compares the lists with the loaded classes of a real start, and can rewrite the lists.
 *
 * <p>Thread: the thread that calls {@link #load}. Each list has its own loading thread.
 */
enum ClassesAhead {
    /** The classes that every server needs. */
    SERVER,

    /** The additional classes that a server with an application needs. */
    APPLICATION;

    private static final Logger LOG = LoggerFactory.getLogger(ClassesAhead.class);

    /**
     * The smallest number of processors for which the loading thread is used. With only one processor, the thread would delay the start.
     */
    private static final int PROCESSORS = 2;

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    /** The name of the resource with the list. */
    String list() {
        return name().toLowerCase(Locale.ROOT) + ".classes";
    }

    /** Starts the thread that loads the classes of the list. Does not wait for the thread. */
    void load() {
        if (Runtime.getRuntime().availableProcessors() >= PROCESSORS) {
            Thread thread = new Thread(this::loadAll, "classes-ahead-" + list());
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Whether the JVM has an archive of classes. Its classes are loaded and verified, so the thread would only take time from the JVM's
     * compiler. Only Linux shows the command line here. On other systems the thread runs in vain.
     */
    private static boolean hasArchive() {
        String commandLine;
        try {
            commandLine = Files.readString(COMMAND_LINE, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            commandLine = "";
        }
        return ArchiveKind.isNamed(commandLine, System.getenv());
    }

    private void loadAll() {
        if (hasArchive()) {
            return;
        }
        ClassLoader loader = ClassesAhead.class.getClassLoader();
        for (String name : names()) {
            try {
                // Reading the constructors makes the JVM link the class, which includes the verification of its code.
                Constructor<?>[] unused = Class.forName(name, false, loader).getDeclaredConstructors();
            } catch (ClassNotFoundException | LinkageError e) {
                // The start works without this class.
                LOG.trace("Not in this version of Java: {}", name, e);
            }
        }
    }

    private String[] names() {
        try (InputStream list = ClassesAhead.class.getResourceAsStream(list())) {
            return new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.US_ASCII).split("\n");
        } catch (IOException e) {
            // The jar cannot be read. The start of the server will report this failure.
            throw new UncheckedIOException(list(), e);
        }
    }
}
