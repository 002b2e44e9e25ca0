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
    /** In a descriptor, this name means every role. It is never the name of one role. */
    public static final String EVERY_ROLE = "*";

    /** This name means every authenticated user, unless the application declares a role with this name. */
    public static final String ANY_USER = "**";

    public Identity {
        roles = Set.copyOf(roles);
    }

    public static Identity of(String type, String name, Set<String> roles) {
        return new Identity(type, new Named(name), roles);
    }

    /**
     * Implements {@code isUserInRole} (Servlet 6.1, section 13.3). The servlet may use its own name for a role ({@code security-role-ref}). Such a
     * name is first replaced by the role's name in the application.
     */
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

    /** A principal that has only a name. */
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
