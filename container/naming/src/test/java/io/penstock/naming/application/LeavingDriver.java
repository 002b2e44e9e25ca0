package io.penstock.naming.application;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;

/** A driver that registers itself, as drivers do, and that sets a system property when it is deregistered. */
public final class LeavingDriver implements Driver {
    /** The only URL of this driver. */
    public static final String URL = "jdbc:leaving:x";

    /** The system property. */
    public static final String HAS_LEFT = "penstock.test.driver.has.left";

    static {
        try {
            DriverManager.registerDriver(new LeavingDriver(), () -> System.setProperty(HAS_LEFT, "yes"));
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        throw new SQLException("this driver has no database");
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.equals(URL);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
