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
 * <p>This suffices for injection. {@code new InitialContext()} asks a builder that is set for the whole JVM. This class sets that builder
 * only in {@link #installForThisJvm}. A program that has its own builder can call {@link #initialContexts} there instead.
 *
 * <p>Thread: any. Owns: the pools that were asked for by {@link #dataSource}.
 */
public final class Naming implements EnvironmentProvider, AutoCloseable {
    /** Whether this class has set the JVM's builder. Then a second call, by this server or another, succeeds. */
    @GuardedBy("Naming.class")
    private static boolean installed;

    private final GlobalNames globals;

    @GuardedBy("this")
    private final List<PooledSource> given = new ArrayList<>();

    private Naming(Map<String, ConfiguredSource> sources) {
        globals = new GlobalNames(sources);
    }

    /** Naming with only those data sources that applications define themselves. */
    public static Naming create() {
        return new Naming(Map.of());
    }

    /**
     * Naming with the data sources of a file. Each has a name such as {@code jdbc/orders}; the user guide lists the keys. @throws
     * EnvironmentException naming file and line, if the file cannot be read or is invalid
     */
    public static Naming withDataSources(Path file) throws EnvironmentException {
        return new Naming(DataSourceFile.read(file));
    }

    /** Binds an object for all applications, at {@code java:global/name}. References of that name without a look-up name find it, too. */
    public Naming bind(String name, Object value) {
        globals.bind(name, value);
        return this;
    }

    /**
     * A configured data source for the program itself, for example for a realm. It has a pool of its own, apart from the pools of
     * applications.
     *
     * @return open until {@link #close}; it opens no connection before the first use
     * @throws EnvironmentException if there is no data source of that name, or no driver for it
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

    /** Closes the data sources that {@link #dataSource} has returned. Idempotent. */
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
     * Makes {@code new InitialContext()} find an application's names on the threads that work for the application. This sets the builder of
     * the whole JVM, which can be set only once.
     *
     * @return false if another library has set the builder already; then look-ups use that
     * builder, and injection still works
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
            return false; // another thread was faster
        }
    }

    /**
     * The builder that {@link #installForThisJvm} installs, for a program with a builder of its own that asks this one on threads of
     * applications.
     *
     * @param other is asked on all other threads; null for none
     */
    @SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
    public static InitialContextFactoryBuilder initialContexts(@Nullable InitialContextFactoryBuilder other) {
        return new InitialContexts(other);
    }
}
