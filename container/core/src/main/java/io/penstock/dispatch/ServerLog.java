package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes to the log about the requests of one context, each event once and with the context's name. Thread: any. */
record ServerLog(WebContext context) {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLog.class);

    void applicationError(HttpRequest request, Throwable cause) {
        LOG.error(
                "{} {} failed in the application at {}",
                request.getMethod(),
                request.getRequestURI(),
                name(),
                LoggedCause.of(cause));
    }

    /** Ours, not the application's. */
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

    /** An upgrade was asked for, and the response was another one, or nobody was there to get it. */
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
