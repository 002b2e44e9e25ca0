package io.penstock.security;

import io.penstock.context.SecuritySettings;
import io.penstock.context.SecuritySettings.Constraint;
import io.penstock.context.SecuritySettings.Transport;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.request.Identity;
import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.HttpMethodConstraintElement;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of {@code @ServletSecurity} and {@code setServletSecurity}, converted to the form of the descriptor (Servlet 6.1,
 * 13.4.1.2).
 */
final class ServletConstraints {
    private ServletConstraints() {}

    /**
     * The constraints of the descriptors, followed by the constraints of servlets. A servlet's constraints apply only to URL patterns
     * without a constraint in a descriptor.
     */
    static List<Constraint> of(WebContext context) {
        List<Constraint> all = new ArrayList<>(context.settings().security().constraints());
        Set<String> settled = all.stream()
                .flatMap(constraint -> constraint.resources().stream())
                .flatMap(resources -> resources.patterns().stream())
                .collect(Collectors.toSet());
        for (ServletHolder servlet : context.servlets().all()) {
            ServletSecurityElement security = servlet.security();
            Set<String> patterns = new LinkedHashSet<>(servlet.mappings());
            patterns.removeAll(settled);
            if (security != null && !patterns.isEmpty()) {
                add(security, servlet.name(), patterns, all);
            }
        }
        return all;
    }

    private static void add(
            ServletSecurityElement security, String name, Set<String> patterns, List<Constraint> constraints) {
        boolean leavesOthersUnconstrained = isDefault(security)
                && security.getHttpMethodConstraints().stream().anyMatch(method -> !isDefault(method));
        if (!leavesOthersUnconstrained) {
            Set<String> apart = new HashSet<>(security.getMethodNames());
            constraints.add(constraint(security, new SecuritySettings.Collection(name, patterns, Set.of(), apart)));
        }
        for (HttpMethodConstraintElement method : security.getHttpMethodConstraints()) {
            constraints.add(constraint(
                    method, new SecuritySettings.Collection(name, patterns, Set.of(method.getMethodName()), Set.of())));
        }
    }

    private static Constraint constraint(HttpConstraintElement element, SecuritySettings.Collection resources) {
        Transport transport = element.getTransportGuarantee() == TransportGuarantee.CONFIDENTIAL
                ? Transport.CONFIDENTIAL
                : Transport.NONE;
        return new Constraint(List.of(resources), roles(element), transport);
    }

    /**
     * The allowed roles of an annotation element; null if all clients are allowed. The role name {@code *} is removed: it has no special
     * meaning in annotations, and no user has a role with this name.
     */
    private static @Nullable Set<String> roles(HttpConstraintElement element) {
        Set<String> roles = new HashSet<>(List.of(element.getRolesAllowed()));
        if (roles.isEmpty() && element.getEmptyRoleSemantic() == EmptyRoleSemantic.PERMIT) {
            return null;
        }
        roles.remove(Identity.EVERY_ROLE);
        return roles;
    }

    private static boolean isDefault(HttpConstraintElement element) {
        return element.getRolesAllowed().length == 0
                && element.getEmptyRoleSemantic() == EmptyRoleSemantic.PERMIT
                && element.getTransportGuarantee() == TransportGuarantee.NONE;
    }
}
