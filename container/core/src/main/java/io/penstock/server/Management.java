package io.penstock.server;

import java.lang.management.ManagementFactory;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A server's place in the JVM's management: {@code io.penstock:type=Server,port=8080}. A server serves without it, too.
 *
 * <p>Thread: the server's owner.
 */
final class Management implements AutoCloseable {
    private static final Logger LOG = ServerLog.logger();

    private final @Nullable ObjectName name;

    private Management(@Nullable ObjectName name) {
        this.name = name;
    }

    /** Registers the bean; where that fails the log says so. */
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

    /** Takes the bean back, if it is there. */
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
