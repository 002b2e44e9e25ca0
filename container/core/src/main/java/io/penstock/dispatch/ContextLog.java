package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.part.ExplainedFailure;
import io.penstock.part.LogLines;
import io.penstock.request.HttpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the failures of requests, with the name of the context. Thread: any. */
final class ContextLog {
    private static final Logger LOG = LoggerFactory.getLogger(ContextLog.class);

    private static final int DEEPEST_CAUSE = 16;

    private ContextLog() {}

    static void applicationError(HttpRequest request, Throwable cause) {
        WebContext context = request.view().context();
        boolean folds = DefaultPage.showsExceptions(context);
        LOG.error(
                "{} {} failed in the application at {}{}{}",
                request.getMethod(),
                request.getRequestURI(),
                contextOf(request),
                folds ? " (shown without the frames of the server)" : "",
                explanation(cause),
                folds
                        ? LoggedCause.withoutServer(
                                cause, context.settings().classLoader().getName())
                        : LoggedCause.of(cause));
    }

    /** The explanation of an exception or one of its causes, Empty if there is none. */
    private static LogLines explanation(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof ExplainedFailure explained) {
                return new LogLines(explained.explanation());
            }
            cause = cause.getCause();
        }
        return new LogLines("");
    }

    /** Logs that a request has ended since its error handling dispatched it again and again. */
    static void failedRepeatedly(HttpRequest request) {
        LOG.error(
                "{} {} failed {} times in the application at {}, since its error handling dispatches it again. It gets status 500 now",
                request.getMethod(),
                request.getRequestURI(),
                RedispatchLimit.MAX_ERRORS,
                contextOf(request));
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

    /**
     * Logs that the time of an asynchronous request is over, and no listener has called {@code complete} or {@code dispatch}. One line a
     * minute for each context.
     */
    static void asyncTimeout(HttpRequest request, int status, String limit) {
        long times = request.view().context().unansweredTimeouts().happened();
        if (times > 0) {
            LOG.warn(
                    "{} {} of {} gets status {}: its asynchronous processing has timed out ({}), and no listener has called complete"
                            + " or dispatch ({} since the last message)",
                    request.getMethod(),
                    request.getRequestURI(),
                    contextOf(request),
                    status,
                    limit,
                    times);
        }
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
