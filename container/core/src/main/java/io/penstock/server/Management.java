package io.penstock.server;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;

/**
 * Registers a server as an MBean {@code io.penstock:type=Server,port=8080}. The server also runs without it.
 *
 * <p>The platform takes long to set up its management. So a thread of its own does that when the port is open: the first requests do not
 * wait for it.
 *
 * <p>Thread: the server's owner.
 */
final class Management implements AutoCloseable {
    private static final Logger LOG = ServerLog.logger();

    /** The name under which the bean is registered; empty if that has failed. */
    private final CompletableFuture<Optional<ObjectName>> registration;

    private Management(CompletableFuture<Optional<ObjectName>> registration) {
        this.registration = registration;
    }

    /**
     * Begins to register the bean.
     *
     * @param bean called once, by the thread that registers
     */
    static Management register(Supplier<DynamicMBean> bean, int port) {
        return new Management(CompletableFuture.supplyAsync(() -> registered(bean.get(), port), Management::run));
    }

    /** The thread inherits nothing from the calling thread: the platform's management may keep what it finds there. */
    private static void run(Runnable task) {
        Thread thread = new Thread(null, task, "management", 0, false);
        thread.setContextClassLoader(Management.class.getClassLoader());
        thread.start();
    }

    /** A failure is logged. */
    private static Optional<ObjectName> registered(DynamicMBean bean, int port) {
        try {
            ObjectName name = new ObjectName("io.penstock:type=Server,port=" + port);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return Optional.of(name);
        } catch (JMException | RuntimeException e) {
            LOG.warn("The server on port {} is not shown to management: {}", port, e.toString());
            return Optional.empty();
        }
    }

    /** Waits until the bean is registered, or that has failed. */
    void await() {
        registration.join(); // for the thread that registers
    }

    /** Unregisters the bean if it is registered. */
    @Override
    public void close() {
        registration.join().ifPresent(Management::unregister);
    }

    private static void unregister(ObjectName name) {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException | RuntimeException e) {
            LOG.warn("{} is still shown to management: {}", name, e.toString());
        }
    }
}
