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
 * <p>For injection, this code suffices. For {@code new InitialContext()}, the JVM needs an {@link InitialContextFactoryBuilder}. A JVM has
 * only one such builder. Only {@link #installForThisJvm} sets this builder. If a program sets its own builder, that builder can call the
 * builder of {@link #initialContexts}.
 *
 * <p>Thread: any. Owns: the pools of the data sources that {@link #dataSource} has returned.
 */
public final class Naming implements EnvironmentProvider, AutoCloseable {
    /**
     * Whether this class has set the JVM's builder. If so, later calls of {@link #installForThisJvm} return true, also for other servers.
     */
    @GuardedBy("Naming.class")
    private static boolean installed;

    private final GlobalNames globals;

    @GuardedBy("this")
    private final List<PooledSource> given = new ArrayList<>();

    private Naming(Map<String, ConfiguredSource> sources) {
        globals = new GlobalNames(sources);
    }

    /** Creates naming without configured data sources. Applications can use the data sources that they define themselves. */
    public static Naming create() {
        return new Naming(Map.of());
    }

    /**
     * Creates naming with the data sources in a file. Each data source has a name such as {@code jdbc/orders}. The user guide lists the
     * keys.
     *
     * @throws EnvironmentException if the file cannot be read or is invalid; the message names the file and the line
     */
    public static Naming withDataSources(Path file) throws EnvironmentException {
        return new Naming(DataSourceFile.read(file));
    }

    /**
     * Binds an object for all applications, at {@code java:global/name}. A reference with the same name also finds the object, if the
     * reference has no look-up name.
     */
    public Naming bind(String name, Object value) {
        globals.bind(name, value);
        return this;
    }

    /**
     * Opens a configured data source for the program itself, for example for a realm. Its connection pool is separate from the pools of
     * applications.
     *
     * @return the data source, which is open until {@link #close}. It opens no connection before the first use
     * @throws EnvironmentException if there is no data source of this name, or no driver for the data source
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
     * Makes {@code new InitialContext()} find an application's names on the threads that work for the application. For this purpose, this
     * method sets the builder of the whole JVM, which can be set only once.
     *
     * @return false if another library has already set the builder. In this case, look-ups use the other builder; injection works
     *     nevertheless
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
            // Another thread has set a builder since the check at the start of this method.
            return false;
        }
    }

    /**
     * The builder that {@link #installForThisJvm} installs. A program with its own builder can call this builder on the threads that work
     * for an application.
     *
     * @param other the builder for all other threads; null for none
     */
    @SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
    public static InitialContextFactoryBuilder initialContexts(@Nullable InitialContextFactoryBuilder other) {
        return new InitialContexts(other);
    }
}
