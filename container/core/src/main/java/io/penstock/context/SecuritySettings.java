package io.penstock.context;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The declarative security of a context (Servlet 6.1, chapter 13).
 *
 * @param denyUncovered whether requests with an uncovered method are denied. A method is uncovered if it has no constraint, but other
 *     methods of the same URL pattern have a constraint
 */
public record SecuritySettings(
        List<Constraint> constraints, @Nullable Login login, Set<String> roles, boolean denyUncovered) {

    public static final SecuritySettings NONE = new SecuritySettings(List.of(), null, Set.of(), false);

    public SecuritySettings {
        constraints = List.copyOf(constraints);
        roles = Set.copyOf(roles);
    }

    /** The {@code transport-guarantee}. */
    public enum Transport {
        NONE,
        INTEGRAL,
        CONFIDENTIAL
    }

    /**
     * One {@code security-constraint}.
     *
     * @param roles the allowed roles; empty if no client is allowed; null if all clients are allowed (no {@code auth-constraint})
     */
    public record Constraint(
            List<Collection> resources, @Nullable Set<String> roles, Transport transport) {
        public Constraint {
            resources = List.copyOf(resources);
            roles = roles == null ? null : Set.copyOf(roles);
        }
    }

    /** One {@code web-resource-collection}. */
    public record Collection(String name, Set<String> patterns, Set<String> methods, Set<String> omittedMethods) {
        public Collection {
            patterns = Set.copyOf(patterns);
            methods = Set.copyOf(methods);
            omittedMethods = Set.copyOf(omittedMethods);
        }
    }

    /** The {@code login-config}. */
    public record Login(
            String method,
            @Nullable String realm,
            @Nullable String formLoginPage,
            @Nullable String formErrorPage) {}
}
