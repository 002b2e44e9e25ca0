package io.penstock.deploy;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Deregisters the JDBC drivers of an application. The JDK permits the deregistration only to classes of the application's class loader. So
 * the class loader of each application defines a copy of this class when the application stops. The application's class loader cannot load
 * other classes of the container. So this class must not use them.
 */
public final class DriverDeregistration implements Supplier<List<String>> {

    /** Called only by the container, from another class loader. */
    public DriverDeregistration() {}

    /** Deregisters the drivers. Returns their class names. */
    @Override
    public List<String> get() {
        List<String> names = new ArrayList<>();
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (driver.getClass().getClassLoader() == DriverDeregistration.class.getClassLoader()) {
                names.add(driver.getClass().getName());
                withdraw(driver);
            }
        }
        return names;
    }

    private static void withdraw(Driver driver) {
        try {
            DriverManager.deregisterDriver(driver);
        } catch (SQLException e) {
            throw new IllegalStateException(driver.getClass().getName() + " cannot be deregistered", e);
        }
    }
}
