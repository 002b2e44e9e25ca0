package io.penstock.develop;

import io.penstock.deploy.DeploymentException;
import io.penstock.request.StackTraces;

/**
 * A version that did not start.
 *
 * @param number a number that no other failure of the same server has
 * @param place the place of the application's context
 * @param reason the reason in one line
 * @param trace the stack traces of the cause; empty if the reason suffices
 * @param former whether a former version still serves requests
 */
record FailedVersion(int number, String place, String reason, String trace, Former former) {

    /** Whether a former version serves the requests that are not answered with the failure. */
    enum Former {
        SERVES,
        NONE
    }

    /** @param source the name of the application's class loader in stack frames; it is removed from the trace */
    static FailedVersion of(int number, String place, String source, Exception failure, Former former) {
        boolean foreseen = failure instanceof DeploymentException;
        Throwable cause = foreseen ? failure.getCause() : failure;
        String reason = foreseen ? String.valueOf(failure.getMessage()) : failure.toString();
        return new FailedVersion(number, place, reason, cause == null ? "" : StackTraces.of(cause, source), former);
    }
}
