package io.penstock.develop;

import io.penstock.deploy.DeploymentException;
import io.penstock.limits.OperatorFile;
import io.penstock.request.StackTraces;
import java.io.IOException;

/**
 * A version of an application in development that did not compile or start.
 *
 * @param number the number of the failure. The failures of an application have different numbers
 * @param title what has failed
 * @param reason the reason in one line
 * @param trace the output of the compiler, or the stack traces of the cause; empty if there is none
 * @param former whether a former version is in service
 */
record FailedVersion(int number, String title, String reason, StackTraces trace, Former former) {

    /** Whether a former version is in service. It serves the requests that {@link FailurePage} does not answer. */
    enum Former {
        SERVES,
        NONE
    }

    /** @param loader the name of the application's class loader. Stack frames contain this name. It is removed from the trace */
    static FailedVersion of(int number, String location, String loader, Exception failure, Former former) {
        boolean foreseen = failure instanceof DeploymentException;
        Throwable cause = foreseen ? failure.getCause() : failure;
        String reason = foreseen
                ? String.valueOf(failure.getMessage())
                : failure instanceof IOException unread ? OperatorFile.explained(unread) : failure.toString();
        return new FailedVersion(
                number,
                location + " does not start",
                reason,
                cause == null ? StackTraces.none() : StackTraces.of(cause, loader),
                former);
    }
}
