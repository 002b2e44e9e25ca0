package io.penstock.ldap;

import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The factory of the sockets to a directory with an authority of its own. JNDI takes only the name of a class, and calls its method {@code
 * getDefault} on the thread that opens the connection. Only for JNDI.
 */
public final class LdapSockets {
    private static final ThreadLocal<SSLSocketFactory> OF_THREAD = new ThreadLocal<>();

    private LdapSockets() {}

    /** Sets the factory of the connections that this thread opens; null for none. */
    static void use(@Nullable SSLSocketFactory factory) {
        if (factory == null) {
            OF_THREAD.remove();
        } else {
            OF_THREAD.set(factory);
        }
    }

    /** Returns the factory of this thread. */
    public static SocketFactory getDefault() {
        SSLSocketFactory factory = OF_THREAD.get();
        if (factory == null) {
            throw new IllegalStateException("this thread opens no connection to a directory");
        }
        return factory;
    }
}
