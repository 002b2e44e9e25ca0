package io.penstock.security;

import io.penstock.context.SecuritySettings.Constraint;
import io.penstock.context.SecuritySettings.Transport;
import io.penstock.request.Identity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The combined constraints for one method of one URL pattern (Servlet 6.1, section 13.7.1).
 *
 * @param roles the roles that may access the pattern, if the access is {@link Access#ROLES}; the user needs one of these roles
 * @param transport the required protection of the connection
 */
record Rule(Access access, Set<String> roles, Transport transport) {
    static final Rule OPEN = new Rule(Access.OPEN, Set.of(), Transport.NONE);
    static final Rule DENIED = new Rule(Access.DENIED, Set.of(), Transport.NONE);

    /** If constraints are combined, the access that is declared last in this enum wins. */
    enum Access {
        ROLES,
        ANY_USER,
        OPEN,
        DENIED
    }

    Rule {
        roles = Set.copyOf(roles);
    }

    /**
     * Combines constraints into one rule. The list of constraints must not be empty.
     *
     * @param declared the roles of the application; the role name {@code *} stands for all of them
     */
    static Rule of(List<Constraint> constraints, Set<String> declared) {
        Access access = Access.ROLES;
        Set<String> union = new HashSet<>();
        Transport transport = Transport.CONFIDENTIAL;
        for (Constraint constraint : constraints) {
            if (constraint.transport() == Transport.NONE) {
                transport = Transport.NONE;
            }
            Access own = access(constraint, declared);
            access = own.compareTo(access) > 0 ? own : access;
            if (constraint.roles() != null) {
                union.addAll(constraint.roles());
            }
        }
        if (union.remove(Identity.EVERY_ROLE)) {
            union.addAll(declared);
        }
        return new Rule(access, access == Access.ROLES ? union : Set.of(), transport);
    }

    private static Access access(Constraint constraint, Set<String> declared) {
        Set<String> named = constraint.roles();
        if (named == null) {
            return Access.OPEN;
        }
        if (named.isEmpty()) {
            return Access.DENIED;
        }
        boolean any = named.contains(Identity.ANY_USER) && !declared.contains(Identity.ANY_USER);
        return any ? Access.ANY_USER : Access.ROLES;
    }

    /** Whether the user must be logged in. */
    boolean needsUser() {
        return access == Access.ROLES || access == Access.ANY_USER;
    }

    boolean needsConfidentiality() {
        return transport != Transport.NONE;
    }

    boolean permits(Identity user) {
        return switch (access) {
            case OPEN, ANY_USER -> true;
            case ROLES -> user.roles().stream().anyMatch(roles::contains);
            case DENIED -> false;
        };
    }
}
