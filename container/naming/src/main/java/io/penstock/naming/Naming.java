package io.penstock.naming;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.environment.Declarations;
import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.EnvironmentProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactoryBuilder;
import javax.naming.spi.NamingManager;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Names and data sources for the applications of a server.
 *
 * <pre>{@code
 * Penstock server = Penstock.builder()
 *         .environments(Naming.withDataSources(Path.of("data-sources.properties")))
 *         .war(Path.of("shop.war"))
 *         .start();
 * }</pre>
 *
 * <p>That is enough for injection. {@code new InitialContext()} asks one object of the whole JVM, which this class does not touch
 * unless it is told to: by {@link #installForThisJvm}, or by a program that calls {@link #initialContexts} in a builder of its own.
 *
 * <p>Thread: any. Owns: the pools that were asked for by {@link #dataSource}.
 */
public final class Naming implements EnvironmentProvider, AutoCloseable {
    /** Whether the JVM's builder is ours: a second call, of this server or of another, is no failure. */
    @GuardedBy("Naming.class")
    private static boolean installed;

    private final GlobalNames globals;

    @GuardedBy("this")
    private final List<PooledSource> given = new ArrayList<>();

    private Naming(Map<String, ConfiguredSource> sources) {
        globals = new GlobalNames(sources);
    }

    /** Without data sources but those that applications define themselves. */
    public static Naming create() {
        return new Naming(Map.of());
    }

    /**
     * With the data sources of a file: for each a name, such as {@code jdbc/orders}, and behind it what the user guide lists.
     *
     * @throws EnvironmentException if the file cannot be read, or says what cannot be; with file and line
     */
    public static Naming withDataSources(Path file) throws EnvironmentException {
        return new Naming(DataSourceFile.read(file));
    }

    /** Binds an object for all applications, at {@code java:global/name}; references of that name without more find it, too. */
    public Naming bind(String name, Object value) {
        globals.bind(name, value);
        return this;
    }

    /**
     * A configured data source for the program itself, such as for a realm. Applications have pools of their own, which this one's
     * connections do not count among.
     *
     * @return open until {@link #close}; no connection is made before one is wanted
     * @throws EnvironmentException if there is none of that name, or no driver for it
     */
    public synchronized DataSource dataSource(String name) throws EnvironmentException {
        ConfiguredSource source = globals.source(name);
        if (source == null) {
            throw new EnvironmentException("no data source has the name '" + name + "'");
        }
        PooledSource pool = new PooledSource(source, "the server", Naming.class.getClassLoader());
        DataSource open = pool.open();
        given.add(pool);
        return open;
    }

    /** Closes what {@link #dataSource} has given. Idempotent. */
    @Override
    public synchronized void close() {
        given.forEach(PooledSource::close);
        given.clear();
    }

    @Override
    public Environment open(Declarations declarations) throws EnvironmentException {
        return ApplicationNames.open(declarations, globals);
    }

    /**
     * Lets {@code new InitialContext()} find an application's names on the threads that work for it. This is for the whole JVM, and
     * for good: nobody else can do it any more.
     *
     * @return false if another has done it already; then only what it finds is found, and injection
     */
    public static synchronized boolean installForThisJvm() {
        if (NamingManager.hasInitialContextFactoryBuilder()) {
            return installed;
        }
        try {
            NamingManager.setInitialContextFactoryBuilder(initialContexts(null));
            installed = true;
            return true;
        } catch (IllegalStateException | NamingException e) {
            return false; // another was faster
        }
    }

    /**
     * What {@link #installForThisJvm} installs, for a program that has a builder of its own and asks this one for the threads of
     * applications.
     *
     * @param other is asked on all other threads; null for none
     */
    @SuppressWarnings("exports") // who compiles against this needs no annotation for null
    public static InitialContextFactoryBuilder initialContexts(@Nullable InitialContextFactoryBuilder other) {
        return new InitialContexts(other);
    }
}
