package io.penstock.naming;

import java.lang.reflect.InvocationTargetException;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.InitialContextFactoryBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the factory for {@code new InitialContext()}. If the caller or the system properties name a factory, this factory is used.
 * Otherwise, the initial context has the names of the application that the thread works for. If the thread works for no application, and
 * there is another builder ({@code other}), that builder chooses the factory.
 *
 * <p>Thread: any.
 */
final class InitialContexts implements InitialContextFactoryBuilder {
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
        return named(wanted.toString());
    }

    private static InitialContextFactory named(String className) throws NamingException {
        try {
            return (InitialContextFactory)
                    load(className).getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw failure(className, e.getCause());
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
