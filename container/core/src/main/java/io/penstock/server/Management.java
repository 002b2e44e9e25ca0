package io.penstock.server;

import java.lang.management.ManagementFactory;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Registers a server as an MBean {@code io.penstock:type=Server,port=8080}. The server also runs without it.
 *
 * <p>Thread: the server's owner.
 */
final class Management implements AutoCloseable {
    private static final Logger LOG = ServerLog.logger();

    private final @Nullable ObjectName name;

    private Management(@Nullable ObjectName name) {
        this.name = name;
    }

    /** Registers the bean. A failure is logged. */
    static Management register(DynamicMBean bean, int port) {
        try {
            ObjectName name = new ObjectName("io.penstock:type=Server,port=" + port);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return new Management(name);
        } catch (JMException | RuntimeException e) {
            LOG.warn("The server on port {} is not shown to management: {}", port, e.toString());
            return new Management(null);
        }
    }

    /** Unregisters the bean if it is registered. */
    @Override
    public void close() {
        if (name == null) {
            return;
        }
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException | RuntimeException e) {
            LOG.warn("{} is still shown to management: {}", name, e.toString());
        }
    }
}
