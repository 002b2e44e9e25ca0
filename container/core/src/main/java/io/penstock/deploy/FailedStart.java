package io.penstock.deploy;

import jakarta.servlet.ServletException;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes in one line why an application does not start. The description names the line of the application's code, if it is known. */
final class FailedStart {
    private FailedStart() {}

    /** The reason, taken from the innermost cause. */
    static String reason(Throwable failure, @Nullable ClassLoader application) {
        Throwable innermost = innermost(failure);
        return String.valueOf(innermost).replaceAll("\\s+", " ") + codeLine(innermost, application);
    }

    /**
     * Whether one line explains the failure. This is the case if the application has thrown a {@link ServletException}, or if a class is
     * missing.
     */
    static boolean isForeseen(Throwable failure) {
        Throwable innermost = innermost(failure);
        return innermost instanceof ServletException
                || innermost instanceof ClassNotFoundException
                || innermost instanceof NoClassDefFoundError;
    }

    private static Throwable innermost(Throwable failure) {
        // An application can make a cycle of causes.
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Throwable innermost = failure;
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            innermost = cause;
        }
        return innermost;
    }

    /**
     * The topmost line of the application's code in the stack trace. Empty if the stack trace has no such line, or if the application has
     * no class loader of its own.
     */
    private static String codeLine(Throwable failure, @Nullable ClassLoader application) {
        if (!(application instanceof WebAppClassLoader)) {
            return "";
        }
        return Arrays.stream(failure.getStackTrace())
                .filter(line -> Objects.equals(line.getClassLoaderName(), application.getName()))
                .findFirst()
                .map(line -> " (in " + line.getClassName() + "." + line.getMethodName() + ", " + line.getFileName()
                        + ":" + line.getLineNumber() + ")")
                .orElse("");
    }
}
