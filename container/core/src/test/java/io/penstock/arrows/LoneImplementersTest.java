package io.penstock.arrows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link LoneImplementers}, a rule against interfaces that only one class of the same package implements. */
class LoneImplementersTest {
    private static final String FIXTURE = "io.penstock.arrows.fixture.lone";
    private static final String TOWER = FIXTURE + ".Lone$Tower";

    @Test
    void anInterfaceWithOneImplementerInItsPackageIsReported() {
        assertEquals(
                List.of(TOWER + " is implemented by " + FIXTURE + ".Lone$First only, in the same package"),
                violations(Map.of()));
    }

    @Test
    void anInterfaceWithARowIsAllowed() {
        assertEquals(List.of(), violations(Map.of(TOWER, "a fixture")));
    }

    @Test
    void aRowWithoutSuchAnInterfaceIsReported() {
        String pair = FIXTURE + ".Lone$Pair";
        assertEquals(
                List.of("The row of " + pair + " is stale: it has other implementers, or none"),
                violations(Map.of(TOWER, "a fixture", pair, "a fixture")));
    }

    private static List<String> violations(Map<String, String> allowed) {
        return new LoneImplementers(FIXTURE, allowed)
                .rule()
                .evaluate(new ClassFileImporter().importPackages(FIXTURE))
                .getFailureReport()
                .getDetails();
    }
}
