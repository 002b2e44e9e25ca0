package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the failed requests of one context, each once. Thread: any. */
record ContextLog(WebContext context) {
    private static final Logger LOG = LoggerFactory.getLogger(ContextLog.class);

    void applicationError(HttpRequest request, Throwable cause) {
        LOG.error(
                "{} {} failed in the application at {}",
                request.getMethod(),
                request.getRequestURI(),
                name(),
                LoggedCause.of(cause));
    }

    /** A bug of the container, not of the application. */
    void containerError(HttpRequest request, Throwable cause) {
        LOG.error(
                "{} {} of {} failed in the container",
                request.getMethod(),
                request.getRequestURI(),
                name(),
                LoggedCause.of(cause));
    }

    void clientGone(HttpRequest request, Throwable cause) {
        LOG.debug(
                "{} {} of {} could not be answered: {}",
                request.getMethod(),
                request.getRequestURI(),
                name(),
                cause.getMessage());
    }

    /** The application asked for an upgrade, but the response was not 101, or the client was gone. */
    void notUpgraded(HttpRequest request, Throwable cause) {
        LOG.debug(
                "{} {} of {} does not upgrade its connection: {}",
                request.getMethod(),
                request.getRequestURI(),
                name(),
                cause.getMessage());
    }

    private String name() {
        return context.getContextPath().isEmpty() ? "/" : context.getContextPath();
    }
}
