package io.penstock.boot.sample;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Counts the starts of this application in this JVM. Each start has a new class loader. Also counts the class loaders that are still in
 * memory.
 */
@RestController
class Restarts {
    private static final String LOADERS = "workshop.loaders";

    /**
     * The class loaders of all starts. The list uses only classes of the JDK. So the application can read the list after a restart with a
     * new class loader.
     */
    private final List<WeakReference<ClassLoader>> loaders = loaders();

    Restarts() {
        loaders.add(new WeakReference<>(getClass().getClassLoader()));
    }

    @SuppressWarnings("unchecked")
    private static List<WeakReference<ClassLoader>> loaders() {
        return (List<WeakReference<ClassLoader>>)
                System.getProperties().computeIfAbsent(LOADERS, key -> new CopyOnWriteArrayList<>());
    }

    @GetMapping("/restarts")
    String restarts() {
        System.gc();
        long left = loaders.stream().filter(loader -> !loader.refersTo(null)).count();
        return left + " of " + loaders.size();
    }
}
