package io.penstock.session.jdbc;

import io.penstock.environment.DriverSource;
import java.io.IOException;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections to one database with a driver on the server's class path. This class uses no drivers of applications, because the
 * server runs longer than an application. For the same reason, it does not use {@code DriverManager} or the context class loader.
 *
 * <p>Thread: any.
 */
final class ServerDriver {
    private static final Logger LOG = LoggerFactory.getLogger(ServerDriver.class);

    /** The most drivers that are ignored. Without this limit, a folder that cannot be read would fail again and again. */
    private static final int MAX_IGNORED = 100;

    private ServerDriver() {}

    /** @throws IOException if the server has no driver for this URL */
    static DataSource source(Location location) throws IOException {
        ClassLoader own = ServerDriver.class.getClassLoader();
        Iterator<Driver> drivers = ServiceLoader.load(Driver.class, own).iterator();
        int ignored = 0;
        while (ignored < MAX_IGNORED) {
            try {
                if (!drivers.hasNext()) {
                    break;
                }
                Driver driver = drivers.next();
                if (driver.acceptsURL(location.url())) {
                    return of(driver, location);
                }
            } catch (ServiceConfigurationError | SQLException e) {
                ignored++;
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

    private static DataSource of(Driver driver, Location location) {
        Map<String, String> properties = new HashMap<>(location.secrets());
        if (location.url().startsWith("jdbc:postgresql:")) {
            // The driver's time-outs are in whole seconds. Values in the URL override these properties.
            String seconds =
                    Long.toString(Math.max(1, location.options().timeout().toSeconds()));
            properties.put("connectTimeout", seconds);
            properties.put("socketTimeout", seconds);
            properties.put("tcpKeepAlive", "true");
            properties.put("ApplicationName", "penstock");
        }
        return new DriverSource(driver, location.url(), location.user(), null, properties);
    }
}
