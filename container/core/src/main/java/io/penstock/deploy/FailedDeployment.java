package io.penstock.deploy;

import java.time.Instant;

/**
 * A failed deployment. A later successful deployment of the same place removes it.
 *
 * @param place of the context, in the spelling of {@link io.penstock.limits.ContextPlace}
 * @param source the name that the operator has given: a file, a folder, or a context made in code
 * @param reason one line
 */
public record FailedDeployment(String place, String source, Instant at, String reason) {
    /** Longer reasons are cut: they may contain a long message of an application. */
    private static final int LONGEST = 1000;

    static FailedDeployment of(Applications.Deployable wanted, Throwable failure) {
        String reason =
                failure instanceof DeploymentException ? String.valueOf(failure.getMessage()) : failure.toString();
        String line = reason.strip().replaceAll("\\s*\\R\\s*", " ");
        String cut = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
        return new FailedDeployment(wanted.place(), wanted.source(), Instant.now(), cut);
    }
}
