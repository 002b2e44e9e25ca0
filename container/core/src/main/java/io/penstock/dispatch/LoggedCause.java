package io.penstock.dispatch;

import io.penstock.request.StackTraces;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an application's exception that is safe to log. The messages of an exception can contain text from a client. This text must not
 * begin a new line in the log, so control characters in messages are escaped. The stack traces are unchanged, except for {@link #withoutServer}.
 */
public final class LoggedCause extends Throwable {
    private static final long serialVersionUID = 1L;

    /** The largest number of exceptions in one copy: causes and suppressed exceptions. Further exceptions are left out. */
    private static final int MAX = 100;

    private LoggedCause(Throwable thrown, @Nullable Throwable cause, UnaryOperator<StackTraceElement[]> frames) {
        super(escaped(thrown.toString()), cause, true, true);
        setStackTrace(frames.apply(thrown.getStackTrace()));
    }

    /** Returns {@code thrown} itself if no message needs an escape; this is the usual case. Otherwise returns a copy. */
    static Throwable of(Throwable thrown) {
        if (isHarmless(thrown, identitySet())) {
            return thrown;
        }
        LoggedCause copy = copied(thrown, identitySet(), UnaryOperator.identity());
        return copy == null ? thrown : copy;
    }

    /**
     * Returns a copy without the frames of the server, for the log of a developer.
     *
     * @param loader the name of the application's class loader; null if it has no name
     */
    public static Throwable withoutServer(Throwable thrown, @Nullable String loader) {
        LoggedCause copy = copied(thrown, identitySet(), frames -> StackTraces.withoutServer(frames, loader));
        return copy == null ? thrown : copy;
    }

    private static Set<Throwable> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** Returns only the message, since the message already contains the class of the original exception. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }

    private static boolean isHarmless(Throwable thrown, Set<Throwable> seen) {
        if (seen.size() == MAX || !isOneLine(thrown.toString())) {
            return false;
        }
        if (!seen.add(thrown)) {
            return true;
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            if (!isHarmless(suppressed, seen)) {
                return false;
            }
        }
        Throwable cause = thrown.getCause();
        return cause == null || isHarmless(cause, seen);
    }

    /** Copies an exception. Returns null if the exception has already been copied, so that a cycle of causes ends. */
    private static @Nullable LoggedCause copied(
            @Nullable Throwable thrown, Set<Throwable> seen, UnaryOperator<StackTraceElement[]> frames) {
        if (thrown == null || seen.size() == MAX || !seen.add(thrown)) {
            return null;
        }
        LoggedCause copy = new LoggedCause(thrown, copied(thrown.getCause(), seen, frames), frames);
        for (Throwable suppressed : thrown.getSuppressed()) {
            LoggedCause also = copied(suppressed, seen, frames);
            if (also != null) {
                copy.addSuppressed(also);
            }
        }
        return copy;
    }

    private static boolean isOneLine(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isEscaped(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static String escaped(String text) {
        StringBuilder line = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isEscaped(c)) {
                line.append(c);
            } else if (c == '\r') {
                line.append("\\r");
            } else if (c == '\n') {
                line.append("\\n");
            } else {
                line.append("\\x").append(Integer.toHexString(c));
            }
        }
        return line.toString();
    }

    /** Whether the character is a control character other than tab, or a character that some programs treat as a line end. */
    private static boolean isEscaped(char c) {
        return (c != '\t' && Character.isISOControl(c)) || c == '\u2028' || c == '\u2029';
    }
}
