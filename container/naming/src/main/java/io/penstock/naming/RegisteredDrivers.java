package io.penstock.naming;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;

/**
 * Deregisters the JDBC drivers of one class loader. A driver registers itself when its class is initialised, and the JDK would keep it, with
 * its class loader, until the JVM ends. The JDK permits the deregistration only to classes of the driver's class loader. So the class loader
 * of the jars of a driver defines a copy of this class. It cannot load other classes of the server, so this class must not use them.
 */
final class RegisteredDrivers implements Runnable {

    @Override
    public void run() {
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (driver.getClass().getClassLoader() == RegisteredDrivers.class.getClassLoader()) {
                deregister(driver);
            }
        }
    }

    private static void deregister(Driver driver) {
        try {
            DriverManager.deregisterDriver(driver);
        } catch (SQLException e) {
            throw new IllegalStateException(driver.getClass().getName() + " cannot be deregistered", e);
        }
    }
}
