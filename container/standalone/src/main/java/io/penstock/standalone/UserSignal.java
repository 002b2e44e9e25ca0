package io.penstock.standalone;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the signal USR1 mean something: service managers, and tools that put log files aside, send it. By reflection, since the JDK has signals
 * in a module that no program is to depend on: a Java without it has no such signal, and management does the same.
 *
 * <p>Thread: {@link #install} the one that starts the server; the action a thread of the JVM's.
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
