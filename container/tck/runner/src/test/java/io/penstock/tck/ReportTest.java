package io.penstock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the report about a run of the TCK (the compatibility tests for Jakarta Servlet). The report fails the build if a required test has
 * not passed.
 */
class ReportTest {
    @TempDir
    Path folder;

    private Path reports;
    private Path document;

    @BeforeEach
    void makeFolders() throws Exception {
        reports = Files.createDirectory(folder.resolve("reports"));
        document = Files.writeString(
                folder.resolve("tck.md"),
                "by hand\n\n<!-- begin results -->\nold\n<!-- end results -->\n\nby hand, too\n");
        tck();
    }

    /** Creates the archive of a TCK with the given test classes. The archive also contains two classes that the report must ignore. */
    private void tck(String... classNames) throws Exception {
        Path archive = folder.resolve("servlet-tck-runtime-6.1.2.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(archive))) {
            for (String name : classNames) {
                entry(out, name, "..Lorg/junit/jupiter/api/Test;..");
            }
            entry(out, "servlet.tck.spec.a.NamedLikeATest", "a servlet");
            entry(out, "servlet.tck.spec.a.Tests$NestedTests", "..Lorg/junit/jupiter/api/Test;..");
        }
    }

    private static void entry(JarOutputStream out, String className, String content) throws IOException {
        out.putNextEntry(new JarEntry(className.replace('.', '/') + ".class"));
        out.write(content.getBytes(StandardCharsets.ISO_8859_1));
        out.closeEntry();
    }

    private void suite(String className, String... tests) throws Exception {
        Files.writeString(
                reports.resolve("TEST-" + className + ".xml"),
                "<testsuite name='" + className + "'>" + String.join("", tests).replace("CLASS", className)
                        + "</testsuite>");
    }

    private static String test(String name, String inside) {
        return "<testcase name='" + name + "' classname='CLASS' time='0.1'>" + inside
                + "<system-out>noise &lt;failure&gt;</system-out></testcase>";
    }

    private String report() throws Exception {
        Report.main(
                folder.resolve("servlet-tck-runtime-6.1.2.jar").toString(),
                reports.toString(),
                document.toString(),
                "mvn verify");
        return Files.readString(document);
    }

    private String failure() throws Exception {
        return assertThrows(IllegalStateException.class, this::report).getMessage();
    }

    @Test
    void theTableContainsTheNumberOfPassedTestsOfEachPackage() throws Exception {
        tck("servlet.tck.spec.a.OneTests", "servlet.tck.spec.a.TwoTests");
        suite("servlet.tck.spec.a.OneTests", test("x", ""), test("y", ""));
        suite("servlet.tck.spec.a.TwoTests", test("x", ""));
        suite("servlet.tck.api.b.Tests", test("x", ""));
        String text = report();
        assertTrue(text.contains("passes **4** of the 4 tests of the Jakarta Servlet TCK 6.1.2; 0 failed"), text);
        assertTrue(text.contains("| api.b | 1 | 1 | 0 | 0 |\n| spec.a | 3 | 3 | 0 | 0 |\n| **all** | 4 |"), text);
        assertTrue(text.contains(", `mvn verify`\n- TCK: 6.1.2\n- Java: "), text);
    }

    @Test
    void theReportDoesNotChangeTheTextAroundTheResults() throws Exception {
        suite("servlet.tck.spec.a.Tests", test("x", ""));
        String text = report();
        assertTrue(text.startsWith("by hand\n\n<!-- begin results -->\n\nPenstock passes"), text);
        assertTrue(text.endsWith("| 1 | 1 | 0 | 0 |\n\n<!-- end results -->\n\nby hand, too\n"), text);
        assertEquals(text, report());
    }

    @Test
    void aFailedTestIsListedInTheTableAndFailsTheBuild() throws Exception {
        suite("servlet.tck.spec.a.Tests", test("x", "<failure message='no | more&#10;second'>at…</failure>"));
        String message = failure();
        assertTrue(message.contains("servlet.tck.spec.a.Tests.x"), message);
        String text = Files.readString(document);
        assertTrue(text.contains("| spec.a.x | failed | no \\| more |"), text);
    }

    @Test
    void aTestClassWithoutAResultFailsTheBuild() throws Exception {
        tck("servlet.tck.spec.a.Tests", "servlet.tck.spec.b.Tests");
        suite("servlet.tck.spec.a.Tests", test("x", ""));
        String message = failure();
        assertTrue(
                message.startsWith("1 tests have not passed") && message.contains("servlet.tck.spec.b.Tests"), message);
        assertTrue(Files.readString(document).contains("| spec.b.(the class) | failed | has not run |"));
    }

    @Test
    void aFailureWithoutATestNameIsListedWithItsClass() throws Exception {
        suite("servlet.tck.spec.security.clientcert.ClientCertTests", test("", "<error message='no TLS'/>"));
        failure();
        assertTrue(Files.readString(document).contains("| spec.security.clientcert.(the class) | failed | no TLS |"));
    }

    @Test
    void aSkippedTestFailsTheBuildIfTheTestIsNotOptional() throws Exception {
        suite("servlet.tck.spec.serverpush.ServerPushTests", test("serverPushTest", "<skipped message='no push'/>"));
        assertTrue(report().contains("1 are skipped"));
        suite("servlet.tck.spec.serverpush.OtherTests", test("getNullPushBuilderTest", "<skipped/>"));
        failure();
    }

    @Test
    void aRunWithoutTestResultsFailsTheBuild() throws Exception {
        assertEquals(reports + ": no test has run", failure());
    }

    @Test
    void aDocumentWithoutASectionForTheResultsFailsTheBuild() throws Exception {
        Files.writeString(document, "by hand");
        suite("servlet.tck.spec.a.Tests", test("x", ""));
        assertTrue(assertThrows(IOException.class, this::report).getMessage().contains("has no place"));
    }
}
