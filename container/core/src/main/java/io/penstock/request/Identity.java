package io.penstock.request;

import java.security.Principal;
import java.util.Set;

/**
 * A user who has been authenticated. Immutable.
 *
 * @param type the result of {@code getAuthType}
 * @param roles the user's roles in the realm
 */
public record Identity(String type, Principal principal, Set<String> roles) {
    /** Stands for every role in a descriptor, and is never a role itself. */
    public static final String EVERY_ROLE = "*";

    /** Stands for every authenticated user, unless the application declares a role of that name. */
    public static final String ANY_USER = "**";

    public Identity {
        roles = Set.copyOf(roles);
    }

    public static Identity of(String type, String name, Set<String> roles) {
        return new Identity(type, new Named(name), roles);
    }

    /** For {@code isUserInRole} (Servlet 6.1, 13.3). Looks up the servlet's own name for a role first. */
    boolean isInRole(String role, PathView view) {
        if (role.equals(EVERY_ROLE)) {
            return false;
        }
        String meant = role;
        if (view.servlet() != null) {
            meant = view.servlet().roleRefs().getOrDefault(role, role);
        }
        if (meant.equals(ANY_USER) && !view.context().roles().contains(ANY_USER)) {
            return true;
        }
        return roles.contains(meant);
    }

    /** A user by name. */
    private record Named(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
