package io.penstock.deploy;

import java.time.Instant;

/**
 * A failed deployment. It is listed until a later deployment at the same context path succeeds, or until the application is removed.
 *
 * @param location the context path, as {@link io.penstock.address.ContextLocation} writes it
 * @param source the name that the operator has given: a file, a folder, or a context made in code
 * @param at the time of the failure
 * @param reason the reason of the failure, in one line
 */
public record FailedDeployment(String location, String source, Instant at, String reason) {
    /** The largest length of a reason. A reason can contain a long message of an application. */
    private static final int LONGEST = 1000;

    static FailedDeployment of(Applications.Deployable wanted, Throwable failure) {
        String reason =
                failure instanceof DeploymentException ? String.valueOf(failure.getMessage()) : failure.toString();
        String line = reason.strip().replaceAll("\\s*\\R\\s*", " ");
        String cut = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
        return new FailedDeployment(wanted.location(), wanted.source(), Instant.now(), cut);
    }
}
