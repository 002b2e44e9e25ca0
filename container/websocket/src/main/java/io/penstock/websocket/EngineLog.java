package io.penstock.websocket;

import java.io.IOException;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Filters the log of the WebSocket engine. The filter drops messages about the start. The filter also drops messages about errors of
 * clients, because clients could flood the log. If an endpoint without an error method throws an exception, the exception is logged.
 *
 * <p>Thread: any.
 */
final class EngineLog implements Filter {
    private static final String ENGINE = "org.glassfish.tyrus.core.";

    // This list keeps references to the loggers. Without a reference, a logger and its filter would be
    // garbage-collected.
    private static final List<Logger> LOGGERS = List.of(
            Logger.getLogger("org.glassfish.tyrus.core.AnnotatedEndpoint"),
            Logger.getLogger("org.glassfish.tyrus.core.TyrusEndpointWrapper"),
            Logger.getLogger("org.glassfish.tyrus.core.TyrusWebSocketEngine"),
            Logger.getLogger("org.glassfish.tyrus.servlet.TyrusServletContainerInitializer"),
            Logger.getLogger("org.glassfish.tyrus.servlet.TyrusServletWriter"));

    private EngineLog() {}

    /** Sets the filter of each logger that has no filter. Further calls have no effect. */
    static void quieten() {
        for (Logger logger : LOGGERS) {
            if (logger.getFilter() == null) {
                logger.setFilter(new EngineLog());
            }
        }
    }

    @Override
    public boolean isLoggable(LogRecord line) {
        Throwable thrown = line.getThrown();
        if (thrown == null) {
            return line.getLevel().intValue() > Level.INFO.intValue();
        }
        // For example, the exception for a malformed frame.
        boolean ofProtocol = thrown.getClass().getName().startsWith(ENGINE);
        return !(ofProtocol || thrown instanceof IOException);
    }
}
