package io.penstock.log;

import io.penstock.limits.ServerLogging;
import io.penstock.part.LogLines;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** One logger and its lowest enabled level. Thread: any. */
final class LeveledLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    private final transient LogSink sink;
    private volatile ServerLogging.Level level = ServerLogging.Level.INFO;

    LeveledLogger(String name, LogSink sink) {
        this.name = name;
        this.sink = sink;
    }

    void level(ServerLogging.Level from) {
        level = from;
    }

    private boolean writes(ServerLogging.Level of) {
        return of.compareTo(level) >= 0;
    }

    @Override
    public boolean isTraceEnabled() {
        return writes(ServerLogging.Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return writes(ServerLogging.Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return writes(ServerLogging.Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return writes(ServerLogging.Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return writes(ServerLogging.Level.ERROR);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        // Records do not contain the calling class.
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level of,
            @Nullable Marker marker,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        LogLines lines = lines(arguments);
        String message = arguments == null
                ? pattern
                : MessageFormatter.basicArrayFormat(pattern, lines == null ? arguments : withoutLast(arguments));
        sink.write(new LogRecord(
                System.currentTimeMillis(),
                of.toString(),
                Thread.currentThread().getName(),
                getName(),
                String.valueOf(message),
                lines == null ? "" : lines.text(),
                thrown));
    }

    private static @Nullable LogLines lines(Object @Nullable [] arguments) {
        return arguments != null && arguments.length > 0 && arguments[arguments.length - 1] instanceof LogLines lines
                ? lines
                : null;
    }

    /** Replaces the last argument by an empty text. */
    private static Object[] withoutLast(Object[] arguments) {
        Object[] others = arguments.clone();
        others[others.length - 1] = "";
        return others;
    }
}
