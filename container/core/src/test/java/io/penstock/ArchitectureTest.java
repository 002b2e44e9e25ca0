package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.EvaluationResult;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.penstock.arrows.LoneImplementers;
import io.penstock.arrows.PackageArrows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the rules for dependencies between packages and between classes. */
class ArchitectureTest {
    private static final String FIXTURE = "io.penstock.arrows.fixture";

    private static final JavaClasses CONTAINER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.penstock");

    @Test
    void noPackageImportsAForbiddenPackage() {
        assertFalse(CONTAINER.isEmpty(), "no class of the container was found");
        new PackageArrows("io.penstock").rule().check(CONTAINER);
    }

    @Test
    void noInterfaceHasOnlyOneImplementerInItsOwnPackageExceptTheListedInterfaces() {
        new LoneImplementers("io.penstock").rule().check(CONTAINER);
    }

    /**
     * The conversion methods of the JDK throw an exception for very long times. Applications can pass such times, for example to
     * {@code AsyncContext.setTimeout}.
     */
    @Test
    void classesDoNotConvertTimesByMethodsThatCanOverflow() {
        ArchRuleDefinition.noClasses()
                .that()
                // The package io.penstock.limits converts only configured times, which are at most ten years.
                .resideOutsideOfPackages("io.penstock.time", "io.penstock.limits")
                .should()
                .callMethod(Duration.class, "toNanos")
                .orShould()
                .callMethod(Duration.class, "toMillis")
                .orShould()
                .callMethod(Instant.class, "toEpochMilli")
                .because("io.penstock.time.Saturated converts times")
                .check(CONTAINER);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        time.KnowsAHigherRow      | 'time' (row 0) must not import io.penstock.arrows.fixture.pipe.KnowsALowerRow
        pipe.KnowsSockets         | 'pipe' (row 2) must not import java.nio.channels.SocketChannel
        mapping.KnowsItsNeighbour | 'mapping' (row 2) must not import io.penstock.arrows.fixture.pipe.KnowsALowerRow
        mapping.KnowsServlets     | 'mapping' (row 2) must not import jakarta.servlet.Servlet
        reactor.Encrypts          | 'reactor' (row 3) must not import javax.net.ssl.SSLEngine
        tls.KnowsSockets          | 'tls' (row 5) must not import java.nio.channels.SocketChannel
        http2.KnowsItsNeighbour   | 'http2' (row 5) must not import io.penstock.arrows.fixture.http1.KnowsALowerRow
        mapping.ReadsClassFiles   | 'mapping' (row 2) must not import org.objectweb.asm.ClassReader
        http.StartsAThread        | 'http' (row 2) must not import java.lang.Thread
        work.KnowsWhatAJobIs      | 'work' (row 3) must not import io.penstock.arrows.fixture.pipe.KnowsALowerRow
        util.SaysNothing          | io.penstock.arrows.fixture.util has a name that says nothing
        elsewhere.HasNoRow        | io.penstock.arrows.fixture.elsewhere has no row in the table of packages
        """)
    void aForbiddenImportIsReported(String type, String problem) throws ClassNotFoundException {
        List<String> violations = violations(type);
        assertTrue(violations.stream().anyMatch(found -> found.contains(problem)), () -> violations + "");
    }

    @ParameterizedTest
    @CsvSource({"time.Ticks", "pipe.KnowsALowerRow", "deploy.ReadsClassFilesRightly", "tls.Encrypts"})
    void anAllowedImportIsNoViolation(String type) throws ClassNotFoundException {
        assertEquals(List.of(), violations(type));
    }

    @Test
    void aListedPackageWithoutClassesIsNoViolation() {
        EvaluationResult result =
                new PackageArrows("io.penstock.nowhere").rule().evaluate(new ClassFileImporter().importPackages());
        assertFalse(result.hasViolation());
    }

    private static List<String> violations(String type) throws ClassNotFoundException {
        JavaClasses classes = new ClassFileImporter().importClasses(Class.forName(FIXTURE + "." + type));
        return new PackageArrows(FIXTURE)
                .rule()
                .evaluate(classes)
                .getFailureReport()
                .getDetails();
    }
}
