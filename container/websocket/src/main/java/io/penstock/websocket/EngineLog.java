package io.penstock.websocket;

import java.io.IOException;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Filters the log of the engine. It drops messages about errors of clients, which they could cause at will, and about the start. An
 * exception of an endpoint without a method for errors is still logged.
 *
 * <p>Thread: any.
 */
final class EngineLog implements Filter {
    private static final String ENGINE = "org.glassfish.tyrus.core.";

    // Referenced here, since an unreferenced logger is garbage-collected together with its filter.
    private static final List<Logger> LOGGERS = List.of(
            Logger.getLogger("org.glassfish.tyrus.core.AnnotatedEndpoint"),
            Logger.getLogger("org.glassfish.tyrus.core.TyrusEndpointWrapper"),
            Logger.getLogger("org.glassfish.tyrus.core.TyrusWebSocketEngine"),
            Logger.getLogger("org.glassfish.tyrus.servlet.TyrusServletContainerInitializer"),
            Logger.getLogger("org.glassfish.tyrus.servlet.TyrusServletWriter"));

    private EngineLog() {}

    /** Further calls have no effect. An existing filter stays. */
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
        boolean ofProtocol = thrown.getClass().getName().startsWith(ENGINE); // such as a malformed frame
        return !(ofProtocol || thrown instanceof IOException);
    }
}
