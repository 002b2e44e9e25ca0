package io.penstock.context;

import jakarta.servlet.UnavailableException;

/**
 * Thrown by a request dispatcher whose target is unavailable: the target's servlet has thrown an {@link UnavailableException}, or is out of
 * service, or its context has been undeployed. It says the same as the cause. But only the target is out of service: the servlet that has
 * called the dispatcher, and lets the exception pass, stays available.
 */
public final class TargetUnavailableException extends UnavailableException {
    private static final long serialVersionUID = 1L;

    private TargetUnavailableException(String message) {
        super(message);
    }

    private TargetUnavailableException(String message, int seconds) {
        super(message, seconds);
    }

    /** Makes the exception for the caller of a dispatcher. Returns {@code thrown} itself if another dispatcher has thrown it. */
    public static UnavailableException of(UnavailableException thrown) {
        if (thrown instanceof TargetUnavailableException) {
            return thrown;
        }
        String message = String.valueOf(thrown.getMessage());
        TargetUnavailableException made = thrown.isPermanent()
                ? new TargetUnavailableException(message)
                : new TargetUnavailableException(message, thrown.getUnavailableSeconds());
        made.initCause(thrown);
        return made;
    }
}
