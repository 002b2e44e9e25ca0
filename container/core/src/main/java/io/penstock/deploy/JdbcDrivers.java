package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JDBC drivers that an application has registered, directly or by loading a driver class. If a driver stayed registered, the stopped
 * application would stay in memory for ever.
 *
 * <p>Thread: the thread that stops the application, before its loader is closed.
 */
record JdbcDrivers(WebAppClassLoader loader) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcDrivers.class);
    private static final String WITHDRAWAL = "DriverDeregistration";

    /**
     * Deregisters the drivers. The JDK permits the deregistration only to classes of the application's class loader. So this class loader
     * defines a copy of {@link DriverDeregistration}.
     */
    @Override
    public void close() throws IOException, ReflectiveOperationException {
        if (ModuleLayer.boot().findModule("java.sql").isEmpty()) {
            return;
        }
        String name = JdbcDrivers.class.getPackageName() + '.' + WITHDRAWAL;
        try (InputStream in = JdbcDrivers.class.getResourceAsStream(WITHDRAWAL + ".class")) {
            if (in == null) {
                throw new IOException("no class file of " + name);
            }
            Class<?> adopted = loader.adopt(name, in.readAllBytes());
            Object withdrawal = adopted.getConstructor().newInstance();
            if (withdrawal instanceof Supplier<?> drivers
                    && drivers.get() instanceof List<?> names
                    && !names.isEmpty()) {
                LOG.info(
                        "{}: deregistered the JDBC drivers that the application had left registered: {}",
                        loader.source(),
                        names);
            }
        }
    }
}
