package io.penstock.dispatch;

import io.penstock.request.HttpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failed requests, each once, with the name of the context. Thread: any. */
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

    /** A bug of the container, not of the application. */
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

    /** The application asked for an upgrade, but the response was not 101, or the client had disconnected. */
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
