package io.penstock.environment;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that opens connections to one URL with one driver. Thread: any. */
public final class DriverSource implements DataSource {
    private final Driver driver;
    private final String url;
    private final Properties properties = new Properties();

    /**
     * @param user the user; null if the properties or the URL name one, or the database needs none
     * @param properties further properties of the connections, with names and values that the driver knows
     */
    public DriverSource(
            Driver driver,
            String url,
            @Nullable String user,
            @Nullable String password,
            Map<String, String> properties) {
        this.driver = driver;
        this.url = url;
        this.properties.putAll(properties);
        putCredentials(this.properties, user, password);
    }

    private static void putCredentials(Properties into, @Nullable String user, @Nullable String password) {
        if (user != null) {
            into.setProperty("user", user);
        }
        if (password != null) {
            into.setProperty("password", password);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connect((Properties) properties.clone()); // drivers can add properties
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        Properties own = (Properties) properties.clone();
        putCredentials(own, user, password);
        return connect(own);
    }

    private Connection connect(Properties wanted) throws SQLException {
        Connection connection = driver.connect(url, wanted);
        if (connection == null) {
            throw new SQLException("driver " + driver.getClass().getName() + " does not know this URL");
        }
        return connection;
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
        // No action: the pools that use this source limit the wait for a connection.
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
