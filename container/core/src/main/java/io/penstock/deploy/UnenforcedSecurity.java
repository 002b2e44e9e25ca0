package io.penstock.deploy;

import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;

/**
 * Refuses applications that declare who may see what (Servlet 6.1, chapter 13): as long as nothing enforces it, they would be served
 * to everybody.
 *
 * <p>Thread: one that deploys.
 */
final class UnenforcedSecurity {
    private static final String CONSEQUENCE = " cannot be enforced yet, so the application would be open to everybody";

    private UnenforcedSecurity() {}

    static void refuse(WebXml xml) throws DeploymentException {
        for (WebXml.SecurityConstraint constraint : xml.security().constraints()) {
            boolean protects =
                    constraint.roles() != null || !constraint.transport().equals("NONE");
            if (protects || xml.about().denyUncoveredMethods()) {
                throw new DeploymentException(constraint.at(), "<security-constraint>" + CONSEQUENCE);
            }
        }
    }

    /** What annotations and code have declared, known when the application's initialisers and listeners have run. */
    static void refuse(WebContext context) throws DeploymentException {
        for (ServletHolder servlet : context.servlets().all()) {
            if (servlet.security() != null) {
                throw new DeploymentException("the security of servlet '" + servlet.name() + "'" + CONSEQUENCE);
            }
        }
    }
}
