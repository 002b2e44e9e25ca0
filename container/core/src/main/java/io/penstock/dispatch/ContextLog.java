package io.penstock.dispatch;

import io.penstock.request.HttpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each failed request once, with the name of the context. Thread: any. */
final class ContextLog {
    private static final Logger LOG = LoggerFactory.getLogger(ContextLog.class);

    private ContextLog() {}

    static void applicationError(HttpRequest request, Throwable cause) {
        LOG.error(
                "{} {} failed in the application at {}",
                request.getMethod(),
                request.getRequestURI(),
                contextOf(request),
                LoggedCause.of(cause));
    }

    /** Logs a bug of the container. */
    static void containerError(HttpRequest request, Throwable cause) {
        LOG.error(
                "{} {} of {} failed in the container",
                request.getMethod(),
                request.getRequestURI(),
                contextOf(request),
                LoggedCause.of(cause));
    }

    static void clientGone(HttpRequest request, Throwable cause) {
        LOG.debug(
                "{} {} of {} could not be answered: {}",
                request.getMethod(),
                request.getRequestURI(),
                contextOf(request),
                cause.getMessage());
    }

    /** Logs that the application has asked for an upgrade, but the response was not 101, or the client has disconnected. */
    static void notUpgraded(HttpRequest request, Throwable cause) {
        LOG.debug(
                "{} {} of {} could not upgrade its connection: {}",
                request.getMethod(),
                request.getRequestURI(),
                contextOf(request),
                cause.getMessage());
    }

    private static String contextOf(HttpRequest request) {
        return request.view().context().name();
    }
}
