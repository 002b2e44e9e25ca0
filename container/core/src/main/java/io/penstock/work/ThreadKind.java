package io.penstock.work;

import io.penstock.limits.Switch;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kind of the workers' threads. Virtual threads are created by method handles, since the library is compiled for Java 17.
 *
 * <p>Thread: any.
 */
public enum ThreadKind {
    PLATFORM,
    /** Available from Java 21 on. */
    VIRTUAL;

    private static final Logger LOG = LoggerFactory.getLogger(ThreadKind.class);
    private static final int FIRST_WITH_VIRTUAL = 21;

    /** The configured kind. If this version of Java has no virtual threads, logs a warning and returns {@link #PLATFORM}. */
    public static ThreadKind of(Switch virtual) {
        if (virtual == Switch.OFF) {
            return PLATFORM;
        }
        int version = Runtime.version().feature();
        if (version >= FIRST_WITH_VIRTUAL) {
            return VIRTUAL;
        }
        LOG.warn(
                "virtual-threads has no effect: Java {} has no virtual threads; {} is the first version with them",
                version,
                FIRST_WITH_VIRTUAL);
        return PLATFORM;
    }

    /** Whether the thread is a virtual thread. */
    static boolean isVirtual(Thread thread) {
        return thread.getClass() == Virtual.TYPE;
    }

    /** Returns a virtual thread that has not been started. The thread does not inherit thread locals. */
    static Thread unstarted(String name, Runnable task) {
        return Virtual.unstarted(name, task);
    }

    /** Creates virtual threads. On versions of Java without virtual threads, only {@link #TYPE} may be used. */
    private static final class Virtual {
        private static final @Nullable MethodHandle MAKER =
                Runtime.version().feature() >= FIRST_WITH_VIRTUAL ? maker() : null;

        /** The class of virtual threads; null if this version of Java has no virtual threads. */
        static final @Nullable Class<?> TYPE =
                MAKER == null ? null : unstarted("", () -> {}).getClass();

        private Virtual() {}

        /** Equivalent to {@code Thread.ofVirtual().inheritInheritableThreadLocals(false).name(NAME).unstarted(TASK)}. */
        private static MethodHandle maker() {
            try {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
                MethodHandle made = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder));
                MethodHandle inherit = lookup.findVirtual(
                        builder, "inheritInheritableThreadLocals", MethodType.methodType(builder, boolean.class));
                MethodHandle name = lookup.findVirtual(builder, "name", MethodType.methodType(builder, String.class));
                MethodHandle unstarted =
                        lookup.findVirtual(builder, "unstarted", MethodType.methodType(Thread.class, Runnable.class));
                MethodHandle alone = MethodHandles.insertArguments(inherit, 1, false);
                MethodHandle named = MethodHandles.collectArguments(
                        name, 0, MethodHandles.filterReturnValue(made, alone)); // takes a String, returns a builder
                return MethodHandles.collectArguments(unstarted, 0, named); // takes a String and a Runnable
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("Java " + Runtime.version() + " has no virtual threads", e);
            }
        }

        static Thread unstarted(String name, Runnable task) {
            MethodHandle maker = MAKER;
            if (maker == null) {
                throw new IllegalStateException("Java " + Runtime.version() + " has no virtual threads");
            }
            try {
                return (Thread) maker.invokeExact(name, task);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
