package io.penstock.deploy;

import io.penstock.classfile.ClassMembers;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies {@code @RunAs} and {@code @DeclareRoles} of servlet classes (Servlet 15.5.2 and 15.5.13). The annotations are recognised by their
 * class names.
 */
final class RoleAnnotations {
    private static final Logger LOG = LoggerFactory.getLogger(RoleAnnotations.class);
    private static final String RUN_AS = "jakarta.annotation.security.RunAs";
    private static final String DECLARE_ROLES = "jakarta.annotation.security.DeclareRoles";

    private RoleAnnotations() {}

    /**
     * Applies the annotations of all servlets in the context. A {@code @RunAs} is ignored if the descriptor has a run-as role for the
     * servlet.
     */
    static void apply(WebContext context, ClassLoader loader, AnnotationScope scope) throws DeploymentException {
        for (ServletHolder holder : context.servlets().all()) {
            String className = holder.className();
            if (className != null) {
                apply(context, holder, annotations(className, loader, scope));
            }
        }
    }

    private static void apply(WebContext context, ServletHolder holder, Map<String, Map<String, Object>> annotations)
            throws DeploymentException {
        Map<String, Object> runAs = annotations.get(RUN_AS);
        if (runAs != null && holder.runAs() == null) {
            if (!(runAs.get("value") instanceof String role) || role.isEmpty()) {
                throw new DeploymentException(holder.className() + ": @RunAs names no role");
            }
            holder.runAs(role);
        }
        if (annotations.getOrDefault(DECLARE_ROLES, Map.of()).get("value") instanceof List<?> roles) {
            for (Object role : roles) {
                if (String.valueOf(role).isEmpty()) {
                    throw new DeploymentException(holder.className() + ": @DeclareRoles has an empty name");
                }
                context.declareRoles(String.valueOf(role));
            }
        }
    }

    private static Map<String, Map<String, Object>> annotations(
            String className, ClassLoader loader, AnnotationScope scope) {
        try {
            Class<?> type = Class.forName(className, false, loader);
            return scope.covers(type)
                    ? ClassMembers.of(type, name -> name.equals(RUN_AS) || name.equals(DECLARE_ROLES))
                            .annotations()
                    : Map.of();
        } catch (ClassNotFoundException | LinkageError | IOException | IllegalArgumentException e) {
            LOG.debug("{}: no roles are read from its annotations: {}", className, e.toString());
            return Map.of();
        }
    }
}
