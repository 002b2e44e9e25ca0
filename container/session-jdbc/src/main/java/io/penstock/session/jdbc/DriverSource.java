package io.penstock.session.jdbc;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Opens connections to one database with a driver on the server's class path. This class uses no drivers of applications, because the
 * server runs longer than an application. For the same reason, it does not use {@code DriverManager} or the context class loader.
 *
 * <p>Thread: any.
 */
final class DriverSource implements DataSource {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(DriverSource.class);

    private final Driver driver;
    private final String url;
    private final Properties properties = new Properties();

    private DriverSource(Driver driver, Location location) {
        this.driver = driver;
        this.url = location.url();
        if (location.user() != null) {
            properties.setProperty("user", location.user());
        }
        location.secrets().forEach(properties::setProperty);
        if (url.startsWith("jdbc:postgresql:")) {
            putTimeouts(Long.toString(Math.max(1, location.options().timeout().toSeconds())));
        }
    }

    /** Sets the driver's time-outs in whole seconds. Values in the URL override these properties. */
    private void putTimeouts(String seconds) {
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("socketTimeout", seconds);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "penstock");
    }

    /** @throws IOException if the server has no driver for this URL */
    static DriverSource of(Location location) throws IOException {
        ClassLoader own = DriverSource.class.getClassLoader();
        for (ServiceLoader.Provider<Driver> provider :
                ServiceLoader.load(Driver.class, own).stream().toList()) {
            try {
                Driver driver = provider.get();
                if (driver.acceptsURL(location.url())) {
                    return new DriverSource(driver, location);
                }
            } catch (ServiceConfigurationError | SQLException e) {
                LOG.debug("A driver is ignored: {}", e.toString());
            }
        }
        throw new IOException("no driver on the class path knows URLs of " + kind(location.url())
                + "; penstock.jar finds one in penstock-jdbc-driver.jar beside it");
    }

    /** The beginning of a URL up to the second colon. */
    private static String kind(String url) {
        int end = url.indexOf(':', url.indexOf(':') + 1);
        return end < 0 ? "'jdbc:'" : "'" + url.substring(0, end + 1) + "'";
    }

    @Override
    public Connection getConnection() throws SQLException {
        Properties copy = new Properties(); // drivers can add properties
        copy.putAll(properties);
        Connection connection = driver.connect(url, copy);
        if (connection == null) {
            throw new SQLException("driver " + driver.getClass().getName() + " does not know this URL");
        }
        return connection;
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the user cannot be changed");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("the log of the driver cannot be changed");
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // No action: the pool limits the wait for a connection.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return driver.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("no " + type.getName() + " can be unwrapped");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
