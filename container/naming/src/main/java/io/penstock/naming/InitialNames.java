package io.penstock.naming;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NameClassPair;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import org.jspecify.annotations.Nullable;

/**
 * The context where look-ups start. {@code java:} names are looked up in the application that the thread works for at this moment. A name
 * without a scheme is a name below {@code java:global/}.
 *
 * <p>Other schemes, such as {@code ldap:} and {@code rmi:}, are refused. With these schemes, a client that can choose the name of a look-up
 * could make this server connect to any machine, and use an object from that machine. An application that needs other schemes sets {@link
 * Context#INITIAL_CONTEXT_FACTORY}.
 */
// The check BanJNDI warns of look-ups with names from clients. Here, the names come from the application's own code.
@SuppressWarnings("BanJNDI")
final class InitialNames extends ReadOnlyContext {

    InitialNames(@Nullable Hashtable<?, ?> environment) {
        super(environment);
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return name.isEmpty()
                ? new InitialNames(getEnvironment())
                : context(name).lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return context(name).list(name);
    }

    @Override
    public NamingEnumeration<javax.naming.Binding> listBindings(String name) throws NamingException {
        return context(name).listBindings(name);
    }

    @Override
    public String getNameInNamespace() {
        return "";
    }

    private Context context(String name) throws NamingException {
        String scheme = scheme(name);
        if (scheme == null) {
            return new NameContext(application(name), GlobalNames.PREFIX, getEnvironment());
        }
        if (scheme.equals("java")) {
            return new NameContext(application(name), "java:", getEnvironment());
        }
        throw new NamingException("names of the scheme '" + scheme + "' are not looked up");
    }

    private static ApplicationNames application(String name) throws NamingException {
        ApplicationNames current = ThreadApplications.current();
        if (current == null) {
            throw new NoInitialContextException(
                    "'" + name + "' cannot be looked up: this thread belongs to no application");
        }
        return current;
    }

    /** The text before the first colon, if no slash comes before the colon. */
    private static @Nullable String scheme(String name) {
        int colon = name.indexOf(':');
        int slash = name.indexOf('/');
        return colon > 0 && (slash < 0 || colon < slash) ? name.substring(0, colon) : null;
    }
}
