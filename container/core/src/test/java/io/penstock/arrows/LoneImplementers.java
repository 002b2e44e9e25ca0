package io.penstock.arrows;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds interfaces, and abstract classes, that exactly one class implements, in the same package. Such a type hides that two classes know
 * each other, and a reader must open one more file for each call. {@link PackageArrows} has another purpose for an interface: a class of a
 * lower package calls a class of a higher package. A functional interface stays, since lambdas implement it.
 *
 * <p>A type that needs to stay has a row in {@link #ALLOWED}, with the reason.
 */
public final class LoneImplementers {
    private static final Map<String, String> ALLOWED = Map.of(
            "io.penstock.develop.DevelopedApplication$Surroundings", "tests develop an application without a server",
            "io.penstock.dispatch.AsyncState$Owner", "proofs of the states run without an exchange",
            "io.penstock.environment.Environment", "the module naming implements it, too",
            "io.penstock.exchange.Continuations$Owner", "proofs of the turns run without an exchange",
            "io.penstock.exchange.Response$Owner", "proofs of the response run without an exchange",
            "io.penstock.exchange.QueueWait$Request", "tests of the wait run without an exchange",
            "io.penstock.exchange.UnfinishedBodies$Entry", "each body is its own entry, without one more object",
            "io.penstock.request.FileTransfer", "responses of tests implement it, too");

    private final String root;
    private final Map<String, String> allowed;

    /** Checks the packages below {@code root} against {@link #ALLOWED}. */
    public LoneImplementers(String root) {
        this(root, ALLOWED);
    }

    LoneImplementers(String root, Map<String, String> allowed) {
        this.root = root;
        this.allowed = allowed;
    }

    /** Returns a rule with a violation for each type that has no row, and for each row without a type. */
    public ArchRule rule() {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(root + "..")
                .should(haveMoreThanOneImplementer())
                .allowEmptyShould(true);
    }

    private ArchCondition<JavaClass> haveMoreThanOneImplementer() {
        return new ArchCondition<>("have no single implementer in their own package") {
            private final Map<String, String> found = new TreeMap<>();

            @Override
            public void check(JavaClass type, ConditionEvents events) {
                List<JavaClass> implementers = type.getSubclasses().stream()
                        .filter(implementer -> !implementer.getName().equals(type.getName()))
                        .toList();
                boolean single = implementers.size() == 1
                        && type.getModifiers().contains(JavaModifier.ABSTRACT)
                        && !type.isAnnotatedWith(FunctionalInterface.class)
                        && implementers.get(0).getPackageName().equals(type.getPackageName());
                if (single) {
                    found.put(type.getName(), implementers.get(0).getName());
                }
            }

            @Override
            public void finish(ConditionEvents events) {
                found.forEach((type, implementer) -> {
                    if (!allowed.containsKey(type)) {
                        events.add(SimpleConditionEvent.violated(
                                type, type + " is implemented by " + implementer + " only, in the same package"));
                    }
                });
                allowed.keySet().stream()
                        .filter(type -> !found.containsKey(type))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                type, "The row of " + type + " is stale: it has other implementers, or none")));
            }
        };
    }
}
