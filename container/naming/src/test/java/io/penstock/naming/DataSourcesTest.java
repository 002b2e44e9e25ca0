package io.penstock.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.Declarations;
import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.Reference;
import io.penstock.naming.application.LeavingDriver;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests data sources that an application or the operator defines. */
class DataSourcesTest {
    private static final String AT = "WEB-INF/web.xml:5";

    @TempDir
    Path folder;

    private final List<Environment> open = new ArrayList<>();

    @AfterEach
    void closeAll() {
        open.forEach(Environment::close);
    }

    private Environment open(Naming naming, List<Reference> references, DataSourceDefinition... sources)
            throws EnvironmentException {
        Environment environment = naming.open(new Declarations(
                "shop.war", "/", "shop", new ClassLoader() {}, List.of(), references, List.of(sources)));
        open.add(environment);
        return environment;
    }

    private static DataSourceDefinition defined(String className, String url, Map<String, String> properties) {
        return new DataSourceDefinition(
                "jdbc/orders",
                className,
                url,
                null,
                null,
                null,
                "sa",
                "",
                3,
                properties,
                new DataSourceDefinition.Pool(1, 2, 30, "TRANSACTION_READ_COMMITTED"),
                AT);
    }

    private Naming configured(String... lines) throws Exception {
        return Naming.withDataSources(Files.write(folder.resolve("sources.properties"), List.of(lines)));
    }

    private static void use(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            assertTrue(connection.isValid(1));
        }
    }

    private static DataSource source(Environment names, String name) throws EnvironmentException {
        DataSource found = (DataSource) names.find(name);
        assertNotNull(found, name);
        return found;
    }

    @Test
    void aDataSourceDefinitionWithAClassCreatesAConnectionPool() throws Exception {
        Environment names =
                open(Naming.create(), List.of(), defined("org.h2.jdbcx.JdbcDataSource", "jdbc:h2:mem:a", Map.of()));
        HikariDataSource pool = (HikariDataSource) source(names, "jdbc/orders");
        assertSame(pool, names.find("java:comp/env/jdbc/orders"));
        assertEquals(2, pool.getMaximumPoolSize());
        assertEquals(1, pool.getMinimumIdle());
        assertEquals(30_000, pool.getIdleTimeout());
        assertEquals(3_000, pool.getConnectionTimeout());
        use(pool);
        try (Connection connection = pool.getConnection()) {
            assertEquals(Connection.TRANSACTION_READ_COMMITTED, connection.getTransactionIsolation());
        }
    }

    @Test
    void aDataSourceDefinitionWithADriverClassOrWithOnlyAUrlWorks() throws Exception {
        use(source(
                open(Naming.create(), List.of(), defined("org.h2.Driver", "jdbc:h2:mem:b", Map.of())), "jdbc/orders"));
        use(source(open(Naming.create(), List.of(), defined(null, "jdbc:h2:mem:c", Map.of())), "jdbc/orders"));
    }

    @Test
    void theEndOfTheApplicationClosesItsConnectionPools() throws Exception {
        Environment names = open(Naming.create(), List.of(), defined(null, "jdbc:h2:mem:d", Map.of()));
        HikariDataSource pool = (HikariDataSource) source(names, "jdbc/orders");
        names.close();
        assertTrue(pool.isClosed());
        assertThrows(EnvironmentException.class, () -> names.find("jdbc/orders"));
    }

    /** A thread of the application can run longer than the application. */
    @Test
    void aDataSourceOfTheOperatorCannotBeOpenedAfterTheEndOfTheApplication() throws Exception {
        Environment names = open(configured("o.url = jdbc:h2:mem:late"), List.of());
        names.close();
        assertThrows(EnvironmentException.class, () -> names.find("java:global/o"));
    }

    @Test
    void aDriverOfTheServerIsFoundAlthoughTheApplicationNamesAMissingDriver() throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.sql.Driver"), "org.example.MissingDriver\n");
        URL[] classPath = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            Environment names = Naming.create()
                    .open(new Declarations(
                            "shop.war",
                            "/",
                            "shop",
                            loader,
                            List.of(),
                            List.of(),
                            List.of(defined(null, "jdbc:h2:mem:missing", Map.of()))));
            open.add(names);
            use(source(names, "jdbc/orders"));
        }
    }

    @Test
    void anUnavailableDatabaseDoesNotPreventTheStartOfAnApplication() throws Exception {
        Environment names = open(Naming.create(), List.of(), defined(null, "jdbc:h2:tcp://localhost:1/none", Map.of()));
        DataSource pool = source(names, "jdbc/orders");
        assertThrows(SQLException.class, pool::getConnection);
    }

    @Test
    void theDataSourceOfTheOperatorIsFoundByNameAndByReference() throws Exception {
        Naming naming = configured(
                "# orders", "", "jdbc/orders.url = jdbc:h2:mem:e", "jdbc/orders.user = sa", "jdbc/orders.password =");
        Reference reference = new Reference("jdbc/orders", "javax.sql.DataSource", null, AT);
        Reference other = new Reference("db", "javax.sql.DataSource", "java:global/jdbc/orders", AT);
        Environment names = open(naming, List.of(reference, other));
        use(source(names, "jdbc/orders"));
        assertSame(names.find("jdbc/orders"), names.find("java:global/jdbc/orders"));
        assertSame(names.find("jdbc/orders"), names.find("db"));
    }

    @Test
    void eachApplicationHasASeparateConnectionPool() throws Exception {
        Naming naming = configured("jdbc/orders.url = jdbc:h2:mem:f");
        assertNotSame(
                open(naming, List.of()).find("java:global/jdbc/orders"),
                open(naming, List.of()).find("java:global/jdbc/orders"));
    }

    @Test
    void theOperatorCanConfigureTheConnectionPool() throws Exception {
        Files.writeString(folder.resolve("secret"), "geheim\n");
        Naming naming = configured(
                "a.b.class = org.h2.jdbcx.JdbcDataSource",
                "a.b.url = jdbc:h2:mem:g",
                "a.b.user = sa",
                "a.b.password-file = secret",
                "a.b.max-connections = 3",
                "a.b.min-connections = 1",
                "a.b.max-idle-time = 2m",
                "a.b.connection-timeout = 4s",
                "a.b.isolation = serializable",
                "a.b.property.description = for tests");
        HikariDataSource pool = (HikariDataSource) source(open(naming, List.of()), "java:global/a.b");
        assertEquals(3, pool.getMaximumPoolSize());
        assertEquals(120_000, pool.getIdleTimeout());
        assertEquals(4_000, pool.getConnectionTimeout());
        use(pool);
        use(source(open(naming, List.of()), "java:global/a.b"));
    }

    @Test
    void aTimeOutAboveTheMaximumIsReplacedByTheMaximum() throws Exception {
        Naming naming = configured("o.url = jdbc:h2:mem:long", "o.connection-timeout = 999999999h");
        HikariDataSource pool = (HikariDataSource) source(open(naming, List.of()), "java:global/o");
        assertEquals(1000L * Integer.MAX_VALUE, pool.getConnectionTimeout());
    }

    @Test
    void theOperatorCanProvideADriverInAJar() throws Exception {
        Path jar = Path.of(org.h2.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Naming naming = configured("o.url = jdbc:h2:mem:h", "o.jars = " + jar);
        DataSource pool = source(open(naming, List.of()), "java:global/o");
        try (Connection connection = pool.getConnection()) {
            assertNotSame(
                    org.h2.Driver.class.getClassLoader(),
                    connection.unwrap(Connection.class).getClass().getClassLoader());
        }
    }

    private static void add(String name, byte[] content, ZipOutputStream jar) throws IOException {
        jar.putNextEntry(new ZipEntry(name));
        jar.write(content);
    }

    @Test
    void aDriverInAJarOfTheOperatorIsDeregisteredAtTheEndOfTheApplication() throws Exception {
        Path jar = folder.resolve("leaving.jar");
        String driver = LeavingDriver.class.getName();
        String classFile = driver.replace('.', '/') + ".class";
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar));
                InputStream in = DataSourcesTest.class.getResourceAsStream("/" + classFile)) {
            add(classFile, in.readAllBytes(), out);
            add("META-INF/services/java.sql.Driver", driver.getBytes(StandardCharsets.UTF_8), out);
        }
        System.clearProperty(LeavingDriver.HAS_LEFT);
        Environment names = open(configured("o.url = " + LeavingDriver.URL, "o.jars = " + jar), List.of());
        source(names, "java:global/o");
        assertNull(System.getProperty(LeavingDriver.HAS_LEFT));
        names.close();
        assertEquals("yes", System.getProperty(LeavingDriver.HAS_LEFT));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    no.such.Source | jdbc:h2:mem:x | is of the class no.such.Source, which neither the application nor the server has
                    java.lang.Object | jdbc:h2:mem:x | is of the class java.lang.Object, which is neither a javax.sql.DataSource nor a java.sql.Driver
                     | jdbc:none:x?password=p | has the URL jdbc:none:x, which no driver of the application or the server accepts
                    """)
    void theErrorForAnInvalidDataSourceContainsTheReason(String className, String url, String problem)
            throws Exception {
        Environment names = open(Naming.create(), List.of(), defined(className, url, Map.of()));
        assertEquals(
                AT + ": the data source 'jdbc/orders' " + problem,
                assertThrows(EnvironmentException.class, () -> names.find("jdbc/orders"))
                        .getMessage());
    }

    @Test
    void theErrorForAnUnknownPropertyContainsTheNameOfTheProperty() throws Exception {
        Environment names = open(
                Naming.create(),
                List.of(),
                defined("org.h2.jdbcx.JdbcDataSource", "jdbc:h2:mem:x", Map.of("colour", "red")));
        assertEquals(
                AT + ": class org.h2.jdbcx.JdbcDataSource has no property 'colour'",
                assertThrows(EnvironmentException.class, () -> names.find("jdbc/orders"))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    nonsense | not of the form name.key = value
                    jdbc/a.colour = red | unknown key 'colour'
                    jdbc/a.user = sa | the data source 'jdbc/a' has neither url nor class
                    jdbc/a.max-connections = many | max-connections must be a whole number, not 'many'
                    jdbc/a.max-idle-time = 20 | max-idle-time must be a time such as 20s, 5m or 1h, not '20'
                    jdbc/a.isolation = none | isolation must be read-uncommitted, read-committed, repeatable-read or serializable, not 'none'
                    """)
    void theErrorForAnInvalidLineContainsFileAndLineNumber(String line, String problem) {
        String message = assertThrows(
                        EnvironmentException.class,
                        () -> configured("# first", line.startsWith("jdbc/a.user") ? "" : "jdbc/a.url = jdbc:x", line))
                .getMessage();
        assertEquals(folder.resolve("sources.properties") + ":3: " + problem, message);
    }

    @Test
    void theErrorForAMissingFileContainsTheNameOfTheFile() {
        String message = assertThrows(EnvironmentException.class, () -> Naming.withDataSources(folder.resolve("none")))
                .getMessage();
        assertTrue(message.startsWith("cannot read the file of data sources " + folder.resolve("none")), message);
    }
}
