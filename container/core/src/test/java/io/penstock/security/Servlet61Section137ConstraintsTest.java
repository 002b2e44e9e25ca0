package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.context.SecuritySettings.Collection;
import io.penstock.context.SecuritySettings.Constraint;
import io.penstock.context.SecuritySettings.Transport;
import io.penstock.security.Rule.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests how security constraints are combined, and which of them apply to a request. */
class Servlet61Section137ConstraintsTest {
    private final List<Constraint> constraints = new ArrayList<>();

    private void constrain(
            Set<String> patterns,
            Set<String> methods,
            Set<String> omitted,
            @Nullable Set<String> roles,
            Transport transport) {
        constraints.add(new Constraint(List.of(new Collection("c", patterns, methods, omitted)), roles, transport));
    }

    private void constrain(String pattern, @Nullable Set<String> roles) {
        constrain(Set.of(pattern), Set.of(), Set.of(), roles, Transport.NONE);
    }

    private ConstraintTable table(String... roles) {
        return ConstraintTable.of(constraints, Set.of(roles), Rule.OPEN);
    }

    private static void assertRule(Access access, Set<String> roles, Transport transport, Rule rule) {
        assertEquals(new Rule(access, roles, transport), rule);
    }

    private void addConstraintsOfTheExampleInTheSpecification() {
        constrain(
                Set.of("/*", "/acme/wholesale/*", "/acme/retail/*"),
                Set.of(),
                Set.of("GET", "POST"),
                Set.of(),
                Transport.NONE);
        constrain(Set.of("/acme/wholesale/*"), Set.of("GET", "PUT"), Set.of(), Set.of("SALESCLERK"), Transport.NONE);
        constrain(
                Set.of("/acme/wholesale/*"),
                Set.of("GET", "POST"),
                Set.of(),
                Set.of("CONTRACTOR"),
                Transport.CONFIDENTIAL);
        constrain(
                Set.of("/acme/retail/*"),
                Set.of("GET", "POST"),
                Set.of(),
                Set.of("CONTRACTOR", "HOMEOWNER"),
                Transport.NONE);
    }

    /** Table 13-4 of the Servlet specification lists the rules for this example. */
    @Test
    void theExampleInTheSpecificationHasTheSpecifiedRules() {
        addConstraintsOfTheExampleInTheSpecification();
        ConstraintTable table = table();
        for (String method : new String[] {"PUT", "DELETE", "HEAD", "PATCH", "get"}) {
            assertEquals(Access.DENIED, table.rule("/any", method).access(), method);
            assertEquals(Access.DENIED, table.rule("/acme/wholesale/x", method).access(), method);
            assertEquals(Access.DENIED, table.rule("/acme/retail/x", method).access(), method);
        }
        assertEquals(Rule.OPEN, table.rule("/any", "GET"));
        assertEquals(Rule.OPEN, table.rule("/any", "POST"));
        assertRule(
                Access.ROLES, Set.of("CONTRACTOR", "SALESCLERK"), Transport.NONE, table.rule("/acme/wholesale", "GET"));
        assertRule(Access.ROLES, Set.of("CONTRACTOR"), Transport.CONFIDENTIAL, table.rule("/acme/wholesale/x", "POST"));
        for (String method : new String[] {"GET", "POST"}) {
            assertRule(
                    Access.ROLES,
                    Set.of("CONTRACTOR", "HOMEOWNER"),
                    Transport.NONE,
                    table.rule("/acme/retail/a/b", method));
        }
        assertEquals(List.of("GET, POST at /*"), table.uncovered());
    }

    @Test
    void uncoveredHttpMethodsCanBeDenied() {
        addConstraintsOfTheExampleInTheSpecification();
        ConstraintTable table = ConstraintTable.of(constraints, Set.of(), Rule.DENIED);
        assertEquals(Rule.DENIED, table.rule("/any", "GET"));
        assertEquals(Access.ROLES, table.rule("/acme/retail/x", "GET").access());
    }

    @Test
    void httpMethodsWithoutAConstraintAreUncovered() {
        constrain(Set.of("/a"), Set.of("GET", "HEAD"), Set.of(), Set.of("r"), Transport.NONE);
        assertEquals(Rule.OPEN, table().rule("/a", "POST"));
        assertEquals(List.of("all methods except GET, HEAD at /a"), table().uncovered());
        assertEquals(
                Rule.DENIED,
                ConstraintTable.of(constraints, Set.of(), Rule.DENIED).rule("/a", "POST"));
    }

    @Test
    void aDenialOverridesOpenAccessAndOpenAccessOverridesRoles() {
        constrain("/1", Set.of("r"));
        constrain("/1", Set.of("s", "**"));
        constrain("/2", Set.of("**"));
        constrain("/2", null);
        constrain("/3", null);
        constrain("/3", Set.of());
        assertRule(Access.ANY_USER, Set.of(), Transport.NONE, table().rule("/1", "GET"));
        assertRule(Access.OPEN, Set.of(), Transport.NONE, table().rule("/2", "GET"));
        assertRule(Access.DENIED, Set.of(), Transport.NONE, table().rule("/3", "GET"));
    }

    @Test
    void plainHttpIsAllowedIfOneOfTheConstraintsAllowsPlainHttp() {
        constrain(Set.of("/1"), Set.of(), Set.of(), Set.of("r"), Transport.CONFIDENTIAL);
        constrain(Set.of("/2"), Set.of(), Set.of(), null, Transport.INTEGRAL);
        constrain(Set.of("/3"), Set.of(), Set.of(), Set.of("r"), Transport.CONFIDENTIAL);
        constrain(Set.of("/3"), Set.of(), Set.of(), Set.of("s"), Transport.NONE);
        assertEquals(Transport.CONFIDENTIAL, table().rule("/1", "GET").transport());
        assertEquals(Transport.CONFIDENTIAL, table().rule("/2", "GET").transport());
        assertEquals(Transport.NONE, table().rule("/3", "GET").transport());
    }

    @Test
    void aStarMeansAllRolesThatTheApplicationDeclares() {
        constrain("/1", Set.of("*", "extra"));
        assertEquals(
                Set.of("extra", "a", "b"), table("a", "b").rule("/1", "GET").roles());
        constrain("/2", Set.of("*"));
        assertRule(Access.ROLES, Set.of(), Transport.NONE, table().rule("/2", "GET"));
    }

    @Test
    void twoStarsAreAnOrdinaryRoleNameIfTheApplicationDeclaresTheRole() {
        constrain("/1", Set.of("**"));
        assertRule(Access.ROLES, Set.of("**"), Transport.NONE, table("**").rule("/1", "GET"));
    }

    @Test
    void onlyConstraintsOfTheBestMatchingUrlPatternApply() {
        constrain("/", Set.of("default"));
        constrain("*.jsp", Set.of("jsp"));
        constrain("/a/*", Set.of("a"));
        constrain("/a/b/*", Set.of("ab"));
        constrain("/a/b/c", Set.of("abc"));
        constrain("", Set.of("root"));
        ConstraintTable table = table();
        assertEquals(Set.of("default"), table.rule("/other", "GET").roles());
        assertEquals(Set.of("jsp"), table.rule("/x/y.jsp", "GET").roles());
        assertEquals(Set.of("a"), table.rule("/a/y.jsp", "GET").roles());
        assertEquals(Set.of("a"), table.rule("/a", "GET").roles());
        assertEquals(Set.of("ab"), table.rule("/a/b/x", "GET").roles());
        assertEquals(Set.of("abc"), table.rule("/a/b/c", "GET").roles());
        assertEquals(Set.of("root"), table.rule("/", "GET").roles());
        assertEquals(Set.of("root"), table.rule("", "GET").roles());
    }

    @Test
    void pathsWithoutAMatchingUrlPatternAreOpenToAllClients() {
        constrain("/a/*", Set.of());
        assertEquals(Rule.OPEN, table().rule("/ab", "GET"));
        constraints.clear();
        assertEquals(Rule.OPEN, table().rule("/a", "GET"));
    }
}
