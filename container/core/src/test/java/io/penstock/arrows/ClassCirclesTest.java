package io.penstock.arrows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.penstock.arrows.ClassCircles.Allowed;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link ClassCircles}, a rule against circles of classes that refer to each other. The rule has a table. A row of the table allows
 * one circle of a given size.
 */
class ClassCirclesTest {
    private static final String FIXTURE = "io.penstock.arrows.fixture";

    @Test
    void aCircleWithoutATableRowIsReportedWithItsClassesAndReferences() {
        assertEquals(List.of("""
                        5 classes in 'ring' need each other: Fifth, Fourth, Ring, Second, Third
                          One cycle among them: Fifth -> Ring -> Second -> Third -> Fourth -> Fifth
                            Field <Fifth$Nested.ring> has type <Ring> in (Ring.java:0)
                            Field <Ring.second> has type <Second> in (Ring.java:0)
                            Method <Second.third()> calls constructor <Third.<init>()> in (Ring.java:13)
                            Method <Second.third()> has return type <Third> in (Ring.java:0)
                            Method <Third.ask(Fourth)> has parameter of type <Fourth> in (Ring.java:0)
                            Class <Fourth> extends class <Fifth> in (Ring.java:0)
                            Constructor <Fourth.<init>()> calls constructor <Fifth.<init>()> in (Ring.java:21)
                          The table has no row for it."""), violations("ring"));
    }

    @Test
    void aCircleIsAllowedIfItsTableRowHasTheExactNumberOfClasses() {
        assertEquals(List.of(), violations("ring", new Allowed("ring", 5, "a fixture")));
    }

    @Test
    void aCircleOfFourClassesIsAllowedWithoutATableRow() {
        assertEquals(List.of(), violations("square"));
    }

    @Test
    void aCircleIsReportedIfItHasMoreClassesThanItsTableRowAllows() {
        List<String> violations = violations("ring", new Allowed("ring", 4, "a fixture"));
        assertEquals(1, violations.size());
        assertEquals(
                "  It has grown: see the row of 4 classes in 'ring' (a fixture).",
                violations.get(0).lines().reduce("", (former, line) -> line));
    }

    @Test
    void aTableRowIsReportedIfItAllowsMoreClassesThanTheCircleHas() {
        assertEquals(
                List.of(
                        "the row of 6 classes in 'ring' (a fixture) is stale: the circle has 5 classes now. Lower the row."),
                violations("ring", new Allowed("ring", 6, "a fixture")));
    }

    @Test
    void aTableRowWithoutACircleIsReported() {
        assertEquals(
                List.of("the row of 4 classes in 'square' (a fixture) is stale: the circle is gone. Remove the row."),
                violations("square", new Allowed("square", 4, "a fixture")));
    }

    private static List<String> violations(String name, Allowed... rows) {
        return new ClassCircles(FIXTURE, List.of(rows))
                .rule()
                .evaluate(new ClassFileImporter().importPackages(FIXTURE + "." + name))
                .getFailureReport()
                .getDetails();
    }
}
