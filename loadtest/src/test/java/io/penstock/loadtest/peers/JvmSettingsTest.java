package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JvmSettingsTest {
    private static final Path JAVA = JvmSettings.ownJava();

    @ParameterizedTest
    @CsvSource({"serial,Serial", "parallel,Parallel", "g1,G1", "z,Z", "shenandoah,Shenandoah"})
    void theHeapSizeAndTheGarbageCollectorAreSetByTheOptions(String name, String option) {
        assertEquals(
                List.of("-Xms512m", "-Xmx512m", "-XX:+Use" + option + "GC"),
                new JvmSettings(JAVA, "512m", name).options());
    }

    @Test
    void addedOptionsFollowTheOptionsForHeapAndCollector() {
        JvmSettings settings = new JvmSettings(JAVA, "512m", "serial").with(List.of("-XX:+AlwaysPreTouch"));
        assertEquals(List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch"), settings.options());
    }

    @Test
    void addedOptionsFollowTheOptionsForASmokeTest() {
        JvmSettings settings =
                new JvmSettings(JAVA, "512m", "serial").forSmokeTest().with(List.of("-XX:+AlwaysPreTouch"));
        assertEquals(List.of("-XX:TieredStopAtLevel=1", "-XX:+AlwaysPreTouch"), settings.more());
    }

    @ParameterizedTest
    @CsvSource({"512m,536870912", "3G,3221225472", "64k,65536"})
    void theHeapSizeIsConvertedToBytes(String heap, long bytes) {
        assertEquals(bytes, new JvmSettings(JAVA, heap, "serial").heapBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"512", "", "m", "-1m", "0m", "512 m", "512mb"})
    void anInvalidHeapSizeIsRefused(String heap) {
        assertThrows(IllegalArgumentException.class, () -> new JvmSettings(JAVA, heap, "parallel"));
    }

    @Test
    void theErrorForAnUnknownGarbageCollectorContainsTheKnownCollectors() {
        IllegalArgumentException wrong =
                assertThrows(IllegalArgumentException.class, () -> new JvmSettings(JAVA, "512m", "cms"));
        assertTrue(wrong.getMessage().contains("[serial, parallel, g1, z, shenandoah]"), wrong.getMessage());
    }

    @Test
    void theJavaVersionIsReadFromTheOutputOfTheJavaCommand() {
        String output = "Property settings:\n    java.specification.version = 25\n    java.vendor.version = T-25\n"
                + "    java.version = 25.0.3\n    java.version.date = 2026-07-21\n\nopenjdk version \"25.0.3\"\n";
        assertEquals(new JvmSettings.JavaVersion(25, "25.0.3"), JvmSettings.JavaVersion.parse(output));
    }

    @Test
    void theVersionOfTheRunningJavaIsRead() throws Exception {
        assertEquals(
                Runtime.version().feature(),
                JvmSettings.JavaVersion.of(JvmSettings.ownJava()).feature());
    }

    @Test
    void aProgramOtherThanJavaIsRefused() {
        for (String other : new String[] {"/no/such/java", "/bin/echo"}) {
            ServerFailure failure = assertThrows(ServerFailure.class, () -> JvmSettings.JavaVersion.of(Path.of(other)));
            assertEquals("Not a java command: " + other + "; name one with --java", failure.getMessage());
        }
    }
}
