package io.penstock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
 * Tests the report about a run of a kit (the compatibility tests of a Jakarta specification). The report fails the build if a required test
 * has not passed.
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
        return report("servlet");
    }

    private String report(String kit) throws Exception {
        Report.main(
                kit,
                folder.resolve("servlet-tck-runtime-6.1.2.jar").toString(),
                "tag 6.1.2",
                reports.toString(),
                document.toString());
        return Files.readString(document);
    }

    /** The row of a kit in the first table, without the date and the version of Java. */
    private static String row(String text, String kit) {
        return text.lines()
                .filter(line -> line.startsWith("| " + kit + " |"))
                .findFirst()
                .orElse("")
                .replaceAll("\\| \\d{4}-\\d\\d-\\d\\d \\| [^|]* ", "| … ");
    }

    private String failure() throws Exception {
        return assertThrows(IllegalStateException.class, this::report).getMessage();
    }

    @Test
    void theTableContainsTheNumberOfPassedTests() throws Exception {
        tck("servlet.tck.spec.a.OneTests", "servlet.tck.spec.a.TwoTests");
        suite("servlet.tck.spec.a.OneTests", test("x", ""), test("y", ""));
        suite("servlet.tck.spec.a.TwoTests", test("x", ""));
        suite("servlet.tck.api.b.Tests", test("x", ""));
        assertEquals("| Servlet 6.1 | 6.1.2 | tag 6.1.2 | … | 4 | 4 | 0 | 0 |", row(report(), "Servlet 6.1"));
    }

    @Test
    void theReportDoesNotChangeTheTextAroundTheResults() throws Exception {
        suite("servlet.tck.spec.a.Tests", test("x", ""));
        String text = report();
        assertTrue(text.startsWith("by hand\n\n<!-- begin results -->\n\n| kit | version |"), text);
        assertTrue(text.endsWith("| 1 | 1 | 0 | 0 |\n\n<!-- end results -->\n\nby hand, too\n"), text);
        assertEquals(text, report());
    }

    @Test
    void aRunReplacesTheResultsOfItsOwnKitOnly() throws Exception {
        suite("servlet.tck.spec.a.Tests", test("x", "<failure message='wrong'/>"));
        assertThrows(IllegalStateException.class, () -> report("servlet"));
        assertThrows(IllegalStateException.class, () -> report("pages"));
        suite("servlet.tck.spec.a.Tests", test("x", ""));
        String text = report("servlet");
        assertEquals("| Servlet 6.1 | 6.1.2 | tag 6.1.2 | … | 1 | 1 | 0 | 0 |", row(text, "Servlet 6.1"));
        assertEquals("| Pages 4.0 | 6.1.2 | tag 6.1.2 | … | 1 | 0 | 1 | 0 |", row(text, "Pages 4.0"));
        assertTrue(text.contains("| Pages 4.0 | servlet.tck.spec.a.x | failed | wrong |"), text);
        assertFalse(text.contains("| Servlet 6.1 | spec.a.x"), text);
    }

    @Test
    void aKitThatTheRunnerDoesNotKnowFailsTheBuild() {
        String message = assertThrows(IllegalArgumentException.class, () -> report("faces"))
                .getMessage();
        assertEquals("no kit 'faces', but: servlet, servlet62, pages, tags, el, websocket", message);
    }

    @Test
    void aTestThatNeedNotPassIsListedWithTheReason() throws Exception {
        suite("ee.jakarta.tck.pages.signaturetest.JSPSigTestIT", test("signatureTest", "<failure message='no'/>"));
        assertTrue(report("pages")
                .contains("| Pages 4.0 | signaturetest.signatureTest | failed | expects the API of Pages 4.1 |"));
    }

    @Test
    void aDefectOfTheKitDoesNotFailTheBuild() throws Exception {
        suite(
                "servlet.tck.spec.multifiltermapping.MultiFilterMappingTests",
                test("errorTest", "<failure message='no'/>"));
        assertTrue(report("servlet62")
                .contains("| Servlet 6.2 (draft) | spec.multifiltermapping.errorTest | failed | defect of the kit: the"
                        + " archive lacks NoContentLengthResponseWrapper, which its filters need |"));
    }

    @Test
    void aFailedTestIsListedInTheTableAndFailsTheBuild() throws Exception {
        suite("servlet.tck.spec.a.Tests", test("x", "<failure message='no | more&#10;second'>at…</failure>"));
        String message = failure();
        assertTrue(message.contains("servlet.tck.spec.a.Tests.x"), message);
        String text = Files.readString(document);
        assertTrue(text.contains("| Servlet 6.1 | spec.a.x | failed | no \\| more |"), text);
    }

    @Test
    void aTestClassWithoutAResultFailsTheBuild() throws Exception {
        tck("servlet.tck.spec.a.Tests", "servlet.tck.spec.b.Tests", "servlet.tck.spec.c.ClientIT");
        suite("servlet.tck.spec.a.Tests", test("x", ""));
        String message = failure();
        assertTrue(
                message.startsWith("2 tests have not passed") && message.contains("servlet.tck.spec.b.Tests"), message);
        assertTrue(Files.readString(document).contains("| Servlet 6.1 | spec.b.(the class) | failed | has not run |"));
    }

    @Test
    void aFailureWithoutATestNameIsListedWithItsClass() throws Exception {
        suite("servlet.tck.spec.security.clientcert.ClientCertTests", test("", "<error message='no TLS'/>"));
        failure();
        assertTrue(Files.readString(document)
                .contains("| Servlet 6.1 | spec.security.clientcert.(the class) | failed | no TLS |"));
    }

    @Test
    void aSkippedTestFailsTheBuildIfTheTestIsNotOptional() throws Exception {
        suite("servlet.tck.spec.serverpush.ServerPushTests", test("serverPushTest", "<skipped message='no push'/>"));
        assertTrue(row(report(), "Servlet 6.1").endsWith("| 1 | 0 | 0 | 1 |"));
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
