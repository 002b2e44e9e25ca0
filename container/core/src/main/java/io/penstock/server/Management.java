package io.penstock.server;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;

/**
 * Registers a server as an MBean. The name of the MBean contains the first port of the server: {@code io.penstock:type=Server,port=8080}.
 * If the server has no port, the name contains the file of the first Unix domain socket: {@code
 * io.penstock:type=Server,socket="/run/penstock/http.sock"}. If the registration fails, the server runs without the MBean.
 *
 * <p>The JDK needs a long time to set up JMX. So a separate thread registers the MBean after the port is open, and the first requests do
 * not wait for JMX.
 *
 * <p>Thread: the thread that starts or stops the server.
 */
final class Management implements AutoCloseable {
    private static final Logger LOG = ServerLog.logger();

    /** The name under which the bean is registered; empty if the registration has failed. */
    private final CompletableFuture<Optional<ObjectName>> registration;

    private Management(CompletableFuture<Optional<ObjectName>> registration) {
        this.registration = registration;
    }

    /**
     * Begins to register the bean.
     *
     * @param bean makes the bean. It is called once, by the thread that registers the bean
     */
    static Management register(Supplier<DynamicMBean> bean, List<SocketAddress> addresses) {
        return new Management(
                CompletableFuture.supplyAsync(() -> registered(bean.get(), property(addresses)), Management::run));
    }

    /** The part of the name that differs between the servers of one JVM. */
    private static String property(List<SocketAddress> addresses) {
        for (SocketAddress address : addresses) {
            if (address instanceof InetSocketAddress inet) {
                return "port=" + inet.getPort();
            }
        }
        return "socket=" + ObjectName.quote(addresses.get(0).toString());
    }

    /** Runs the task in a thread that inherits nothing from the calling thread. JMX can keep references to inherited objects. */
    private static void run(Runnable task) {
        Thread thread = new Thread(null, task, "management", 0, false);
        thread.setContextClassLoader(Management.class.getClassLoader());
        thread.start();
    }

    /** Registers the bean. A failure is logged. */
    private static Optional<ObjectName> registered(DynamicMBean bean, String property) {
        try {
            ObjectName name = new ObjectName("io.penstock:type=Server," + property);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return Optional.of(name);
        } catch (JMException | RuntimeException e) {
            LOG.warn("The server with {} is missing in JMX: {}", property, e.toString());
            return Optional.empty();
        }
    }

    /** Waits until the registration of the bean has ended or failed. */
    void await() {
        // Waits for the thread that registers the bean.
        registration.join();
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
            LOG.warn("{} stays registered in JMX: {}", name, e.toString());
        }
    }
}
