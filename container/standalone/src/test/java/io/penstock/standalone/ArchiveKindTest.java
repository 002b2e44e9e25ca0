package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveKindTest {
    private static final String WITHOUT = "java\0-Xmx1g\0-jar\0penstock.jar\0site\0";

    @ParameterizedTest
    @ValueSource(strings = {"-XX:SharedArchiveFile=penstock.jsa", "-XX:AOTCache=penstock.aot"})
    void anArchiveIsNamedOnTheCommandLineOrInAnEnvironmentVariable(String option) {
        assertTrue(ArchiveKind.isNamed("java\0" + option + "\0-jar\0penstock.jar\0", Map.of()));
        for (String variable : ArchiveKind.VARIABLES) {
            assertTrue(ArchiveKind.isNamed(WITHOUT, Map.of(variable, "-Xmx1g " + option)), variable);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:ArchiveClassesAtExit=penstock.jsa", "-XX:AOTCacheOutput=penstock.aot"})
    void aTrainingNamesNoArchiveSoItLoadsAllListedClasses(String option) {
        assertFalse(ArchiveKind.isNamed("java\0" + option + "\0-jar\0penstock.jar\0", Map.of()));
    }

    @Test
    void withoutSuchAnOptionNoArchiveIsNamed() {
        assertFalse(ArchiveKind.isNamed(WITHOUT, Map.of("PATH", "/bin")));
    }
}
