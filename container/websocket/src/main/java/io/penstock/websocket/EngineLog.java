package io.penstock.websocket;

import java.io.IOException;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What the engine may write into the log: not what clients do wrong, which they could do at will, nor that it has started. An exception
 * of an endpoint that has no method for errors is written as before.
 *
 * <p>Thread: any.
 */
final class EngineLog implements Filter {
    private static final String ENGINE = "org.glassfish.tyrus.core.";

    // Held here, for a logger that nobody holds is forgotten, and its filter with it.
    private static final List<Logger> LOGGERS = List.of(
            Logger.getLogger("org.glassfish.tyrus.core.AnnotatedEndpoint"),
            Logger.getLogger("org.glassfish.tyrus.core.TyrusEndpointWrapper"),
            Logger.getLogger("org.glassfish.tyrus.core.TyrusWebSocketEngine"),
            Logger.getLogger("org.glassfish.tyrus.servlet.TyrusServletContainerInitializer"),
            Logger.getLogger("org.glassfish.tyrus.servlet.TyrusServletWriter"));

    private EngineLog() {}

    /** Once is enough, and more does no harm. A filter that somebody else has set stays. */
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
        boolean ofProtocol = thrown.getClass().getName().startsWith(ENGINE); // too long a message, a malformed frame
        return !(ofProtocol || thrown instanceof IOException);
    }
}
