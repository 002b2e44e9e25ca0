package io.penstock.experiments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Checks the dependencies between the experiments, and their dependencies on the load test and on the server. */
class ArchitectureTest {
    private static final JavaClasses EXPERIMENTS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.penstock.experiments");

    @Test
    void theExperimentsDoNotDependOnEachOther() {
        noClasses()
                .that()
                .resideInAPackage("..experiments.io..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..experiments.transactions..", "io.penstock.experiments")
                .check(EXPERIMENTS);
        noClasses()
                .that()
                .resideInAPackage("..experiments.transactions..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..experiments.io..", "io.penstock.experiments", "org.openjdk.jmh..")
                .check(EXPERIMENTS);
        noClasses()
                .that()
                .resideInAPackage("..experiments.capacity..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..experiments.io..", "..experiments.transactions..", "io.penstock.experiments")
                .check(EXPERIMENTS);
        noClasses()
                .that()
                .resideInAPackage("..io.measure..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..io.appends..", "..io.copy..", "..io.floats..", "..io.packets..", "..io.send..")
                .check(EXPERIMENTS);
    }

    /**
     * The benchmark {@code ObserverCost} may use all classes of the server. JMH generates further classes for this benchmark. The names of
     * the generated classes also contain {@code ObserverCost}.
     */
    @Test
    void experimentsExceptObserverCostUseOnlyTheTimePackageOfTheServer() {
        classes()
                .that()
                .haveNameNotMatching(".*ObserverCost.*")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.penstock.experiments..",
                        "io.penstock.loadtest.cli",
                        "io.penstock.loadtest.client",
                        "io.penstock.loadtest.peers",
                        "io.penstock.loadtest.report",
                        "io.penstock.time",
                        "java..",
                        "com.sun.management",
                        "com.google.errorprone.annotations..",
                        "org.jspecify.annotations",
                        "org.knowm.xchart..",
                        "org.openjdk.jmh..",
                        "picocli")
                .check(EXPERIMENTS);
    }
}
