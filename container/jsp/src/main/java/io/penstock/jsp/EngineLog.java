package io.penstock.jsp;

import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the messages of the JSP engine to the container's log. Thread: any. */
public final class EngineLog implements Log {
    /**
     * The name of a logger that warns of missing schemas. Its warnings are logged as debug messages, because only validation needs schemas,
     * and descriptors are not validated.
     */
    private static final String SCHEMAS = "org.apache.tomcat.util.descriptor.DigesterFactory";

    private final Logger log;
    private final Level warnings;

    /** The level at which warnings of the engine are logged. */
    private enum Level {
        WARN,
        DEBUG
    }

    /** The service loader needs a constructor without parameters. */
    public EngineLog() {
        this(EngineLog.class.getName());
    }

    /** @param name the name of the class that logs */
    public EngineLog(String name) {
        log = LoggerFactory.getLogger(name);
        warnings = name.equals(SCHEMAS) ? Level.DEBUG : Level.WARN;
    }

    /**
     * Makes the engine use this log. The engine searches for a log only once, with the thread's context class loader. So during the search,
     * the context class loader must be able to load this class.
     */
    static void use() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(EngineLog.class.getClassLoader());
        try {
            LogFactory.getLog(EngineLog.class).trace("the engine logs here");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public boolean isTraceEnabled() {
        return log.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return log.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return log.isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return warnings == Level.WARN ? log.isWarnEnabled() : log.isDebugEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return log.isErrorEnabled();
    }

    @Override
    public boolean isFatalEnabled() {
        return log.isErrorEnabled();
    }

    @Override
    public void trace(@Nullable Object message) {
        log.trace("{}", message);
    }

    @Override
    public void trace(@Nullable Object message, @Nullable Throwable cause) {
        log.trace("{}", message, cause);
    }

    @Override
    public void debug(@Nullable Object message) {
        log.debug("{}", message);
    }

    @Override
    public void debug(@Nullable Object message, @Nullable Throwable cause) {
        log.debug("{}", message, cause);
    }

    @Override
    public void info(@Nullable Object message) {
        log.info("{}", message);
    }

    @Override
    public void info(@Nullable Object message, @Nullable Throwable cause) {
        log.info("{}", message, cause);
    }

    @Override
    public void warn(@Nullable Object message) {
        warn(message, null);
    }

    @Override
    public void warn(@Nullable Object message, @Nullable Throwable cause) {
        if (warnings == Level.WARN) {
            log.warn("{}", message, cause);
        } else {
            log.debug("{}", message, cause);
        }
    }

    @Override
    public void error(@Nullable Object message) {
        log.error("{}", message);
    }

    @Override
    public void error(@Nullable Object message, @Nullable Throwable cause) {
        log.error("{}", message, cause);
    }

    @Override
    public void fatal(@Nullable Object message) {
        log.error("{}", message);
    }

    @Override
    public void fatal(@Nullable Object message, @Nullable Throwable cause) {
        log.error("{}", message, cause);
    }
}
