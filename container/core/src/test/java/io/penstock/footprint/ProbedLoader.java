package io.penstock.footprint;

import java.io.IOException;
import java.io.InputStream;

/**
 * Loads the classes of the container a second time, and inserts calls to {@link Probes}. The parent loader loads {@link Probes} and all
 * libraries. This loader also loads the servlets, but inserts no calls into them, because the code of applications is not counted.
 */
final class ProbedLoader extends ClassLoader {
    private static final String ROOT = "io.penstock.";
    private static final String HERE = ProbedLoader.class.getPackageName() + ".";
    private static final String APPLICATION = HERE + "server.";
    private static final String FIXTURE = HERE + "fixture.";

    ProbedLoader() {
        super(ProbedLoader.class.getClassLoader());
        setDefaultAssertionStatus(false); // tests enable assertions, but servers do not
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean own = name.startsWith(ROOT)
                && (!name.startsWith(HERE) || name.startsWith(APPLICATION) || name.startsWith(FIXTURE));
        if (!own) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] file = in.readAllBytes();
            byte[] defined = name.startsWith(APPLICATION) ? file : ProbeInserter.insert(file, ROOT.replace('.', '/'));
            return defineClass(name, defined, 0, defined.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
