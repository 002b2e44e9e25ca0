package io.penstock.develop;

import io.penstock.deploy.DeploymentException;
import io.penstock.request.StackTraces;

/**
 * A version that did not start.
 *
 * @param number distinguishes it from other failures of the same server
 * @param place the context of the application
 * @param reason the reason in one line
 * @param trace the stack traces of the cause; empty if the reason suffices
 * @param former whether a former version still serves requests
 */
record FailedVersion(int number, String place, String reason, String trace, Former former) {

    /** The version that serves requests that do not show the failure. */
    enum Former {
        SERVES,
        NONE
    }

    /** @param source the name of the application's class loader in stack frames; the trace omits it */
    static FailedVersion of(int number, String place, String source, Exception failure, Former former) {
        boolean foreseen = failure instanceof DeploymentException;
        Throwable cause = foreseen ? failure.getCause() : failure;
        String reason = foreseen ? String.valueOf(failure.getMessage()) : failure.toString();
        return new FailedVersion(number, place, reason, cause == null ? "" : StackTraces.of(cause, source), former);
    }
}
