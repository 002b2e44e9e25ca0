package io.penstock.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes of a start before they are needed, in a separate thread. Loading and verifying classes takes half of a start, so a
 * second processor shortens it. No static initialiser runs here, so this thread and its lists affect only the time of the start.
 *
 * <p>Each list is a resource beside this class, with one class name per line, in the order of a start. A test compares the lists with a
 * start, and can rewrite them.
 *
 * <p>Thread: the thread that calls {@link #load}; each list is then loaded in a thread of its own.
 */
enum ClassesAhead {
    /** The classes that every server needs. */
    SERVER,

    /** The further classes that an application needs. */
    APPLICATION;

    private static final Logger LOG = LoggerFactory.getLogger(ClassesAhead.class);

    /** With only one processor, this thread would delay the start. */
    private static final int PROCESSORS = 2;

    /** The name of the resource. */
    String list() {
        return name().toLowerCase(Locale.ROOT) + ".classes";
    }

    /** Starts loading the list, and does not wait. */
    void load() {
        if (Runtime.getRuntime().availableProcessors() >= PROCESSORS) {
            Thread thread = new Thread(this::loadAll, "classes-ahead-" + list());
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void loadAll() {
        ClassLoader loader = ClassesAhead.class.getClassLoader();
        for (String name : names()) {
            try {
                // Reading the constructors makes the JVM link the class, which includes the verification of its code.
                Constructor<?>[] unused = Class.forName(name, false, loader).getDeclaredConstructors();
            } catch (ClassNotFoundException | LinkageError e) {
                LOG.trace("Not in this version of Java: {}", name, e); // the start works without this
            }
        }
    }

    private String[] names() {
        try (InputStream list = ClassesAhead.class.getResourceAsStream(list())) {
            return new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.US_ASCII).split("\n");
        } catch (IOException e) {
            throw new UncheckedIOException(list(), e); // the jar cannot be read; the start will report that
        }
    }
}
