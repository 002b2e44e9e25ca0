package io.penstock;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger for tests. It records the messages of all levels as lines such as {@code DEBUG message}. */
public final class RecordedLog extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    private final transient List<String> lines = new CopyOnWriteArrayList<>();
    private final transient List<Throwable> thrown = new CopyOnWriteArrayList<>();

    public List<String> lines() {
        return lines;
    }

    /** Returns the exceptions that were logged with a stack trace. */
    public List<Throwable> thrown() {
        return thrown;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable throwable) {
        lines.add(level + " " + MessageFormatter.arrayFormat(pattern, arguments).getMessage());
        if (throwable != null) {
            thrown.add(throwable);
        }
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    public boolean isTraceEnabled() {
        return true;
    }

    @Override
    public boolean isDebugEnabled() {
        return true;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
