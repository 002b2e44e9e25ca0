package io.penstock.standalone;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an action on the signal USR1, which service managers and log rotation tools send. The JDK has no supported API for signals, so this
 * class calls {@code sun.misc.Signal} by reflection. If the Java runtime lacks that class, the signal has no effect. Operators can use the
 * management bean instead.
 *
 * <p>Thread: the thread that starts the server calls {@link #install}; a thread of the JVM runs the action.
 */
final class UserSignal {
    private static final Logger LOG = LoggerFactory.getLogger(UserSignal.class);
    private static final String NAME = "USR1";

    private UserSignal() {}

    static void install(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    UserSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(NAME), handling);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("This system has no signal {}", NAME, e);
        }
    }
}
