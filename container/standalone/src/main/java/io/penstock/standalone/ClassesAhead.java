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
 * Loads the classes of a start before they are needed, in a thread of their own. Half of a start is the loading and checking of classes, so
 * a second processor shortens it. No static initialiser runs here. So this thread and its lists affect only the time of the start.
 *
 * <p>Each list is a resource beside this class, a name a line, in the order of a start. A test compares the lists with a start, and writes
 * them.
 *
 * <p>Thread: the one that calls {@link #load} begins; the rest happens in the thread of the list.
 */
enum ClassesAhead {
    /** Of every server. */
    SERVER,

    /** Of an application, beside those of every server. */
    APPLICATION;

    private static final Logger LOG = LoggerFactory.getLogger(ClassesAhead.class);

    /** With one processor the start itself would wait for this. */
    private static final int PROCESSORS = 2;

    /** The name of the resource. */
    String list() {
        return name().toLowerCase(Locale.ROOT) + ".classes";
    }

    /** Begins, and does not wait. */
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
                // With its constructors, the JVM links the class: that is when it checks the code.
                Constructor<?>[] unused = Class.forName(name, false, loader).getDeclaredConstructors();
            } catch (ClassNotFoundException | LinkageError e) {
                LOG.trace("Not in this version of Java: {}", name, e); // a start will not miss it
            }
        }
    }

    private String[] names() {
        try (InputStream list = ClassesAhead.class.getResourceAsStream(list())) {
            return new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.US_ASCII).split("\n");
        } catch (IOException e) {
            throw new UncheckedIOException(list(), e); // the jar cannot be read, which the start will say
        }
    }
}
