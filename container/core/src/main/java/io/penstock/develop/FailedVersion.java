package io.penstock.develop;

import io.penstock.deploy.DeploymentException;
import io.penstock.request.StackTraces;

/**
 * A version that did not start.
 *
 * @param number distinguishes it from other failures of the same server
 * @param place of the application
 * @param reason one line
 * @param trace the stack traces behind it; empty if the reason says all
 * @param former whether a former version stays in service
 */
record FailedVersion(int number, String place, String reason, String trace, Former former) {

    /** What serves requests that do not show the failure. */
    enum Former {
        SERVES,
        NONE
    }

    /** @param source names the class loader of the application in its frames, which the trace leaves out */
    static FailedVersion of(int number, String place, String source, Exception failure, Former former) {
        boolean foreseen = failure instanceof DeploymentException;
        Throwable cause = foreseen ? failure.getCause() : failure;
        String reason = foreseen ? String.valueOf(failure.getMessage()) : failure.toString();
        return new FailedVersion(number, place, reason, cause == null ? "" : StackTraces.of(cause, source), former);
    }
}
