package io.penstock.naming;

import java.lang.reflect.InvocationTargetException;
import java.util.Hashtable;
import java.util.ServiceLoader;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.directory.DirContext;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.InitialContextFactoryBuilder;
import javax.naming.spi.NamingManager;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the factory for {@code new InitialContext()}. If the caller or the system properties name a factory, this factory is used.
 * Otherwise, the initial context has the names of the application that the thread works for. If the thread works for no application, and
 * there is another builder ({@code other}), that builder chooses the factory.
 *
 * <p>Thread: any.
 */
final class InitialContexts implements InitialContextFactoryBuilder {
    private static final String LDAP = "com.sun.jndi.ldap.LdapCtxFactory";
    private static final String LDAP_HERE = "ldap://localhost:389";

    private final @Nullable InitialContextFactoryBuilder other;

    InitialContexts(@Nullable InitialContextFactoryBuilder other) {
        this.other = other;
    }

    @Override
    public InitialContextFactory createInitialContextFactory(@Nullable Hashtable<?, ?> environment)
            throws NamingException {
        Object wanted = environment == null ? null : environment.get(Context.INITIAL_CONTEXT_FACTORY);
        if (wanted == null) {
            return other == null || ThreadApplications.hasAny()
                    ? InitialNames::new
                    : other.createInitialContextFactory(environment);
        }
        return wanted.equals(LDAP) ? InitialContexts::directory : named(wanted.toString());
    }

    /**
     * Connects to a directory. Only the JDK itself can make its factory for directories: the package is not exported. So it makes the
     * factory for a reference, whose addresses are the URLs.
     */
    private static Context directory(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Object urls = environment == null ? null : environment.get(Context.PROVIDER_URL);
        Reference reference = new Reference(DirContext.class.getName(), LDAP, null);
        for (String url : (urls == null ? LDAP_HERE : urls.toString()).strip().split("\\s+")) {
            reference.add(new StringRefAddr("URL", url));
        }
        try {
            return (Context) NamingManager.getObjectInstance(reference, null, null, environment);
        } catch (NamingException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw failure(LDAP, e);
        }
    }

    /** Another factory of the JDK, such as that for DNS, is a service of its module. */
    private static @Nullable InitialContextFactory service(String className) {
        return ServiceLoader.load(InitialContextFactory.class, ClassLoader.getSystemClassLoader()).stream()
                .filter(provider -> provider.type().getName().equals(className))
                .findFirst()
                .map(ServiceLoader.Provider::get)
                .orElse(null);
    }

    private static InitialContextFactory named(String className) throws NamingException {
        try {
            return (InitialContextFactory)
                    load(className).getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw failure(className, e.getCause());
        } catch (ClassNotFoundException | IllegalAccessException e) {
            InitialContextFactory service = service(className);
            if (service == null) {
                throw failure(className, e);
            }
            return service;
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw failure(className, e);
        }
    }

    private static NoInitialContextException failure(String className, @Nullable Throwable cause) {
        NoInitialContextException failure =
                new NoInitialContextException("the initial context factory " + className + " cannot be made");
        failure.setRootCause(cause);
        return failure;
    }

    /**
     * Loads a class with the thread's context class loader. If this loader does not find the class, the server's own class path is
     * searched.
     */
    private static Class<?> load(String className) throws ClassNotFoundException {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        try {
            return Class.forName(className, true, ofThread);
        } catch (ClassNotFoundException e) {
            return Class.forName(className, true, ClassLoader.getSystemClassLoader());
        }
    }
}
