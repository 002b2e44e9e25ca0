package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What wrk 4.1.0 has printed. */
class WrkOutputTest {
    private static final String CAPTURED = """
            Running 3s test @ http://127.0.0.1:18377/nope
              1 threads and 64 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency     1.56ms    2.67ms  45.88ms   96.54%
                Req/Sec    44.92k    12.16k   68.82k    66.67%
              Latency Distribution
                 50%    1.12ms
                 75%    1.43ms
                 90%    2.02ms
                 99%   11.31ms
              134214 requests in 3.00s, 34.05MB read
              Non-2xx or 3xx responses: 134214
            Requests/sec:  44690.48
            Transfer/sec:     11.34MB
            """;

    @Test
    void theMedianAndTheSpeedAreRead() {
        assertEquals(new WrkOutput(44690.48, 1.12, 134_214), WrkOutput.parse(CAPTURED));
    }

    @Test
    void whereAllWentWellNothingHasFailed() {
        String well = CAPTURED.replaceAll("(?m)^ +Non-2xx.*\n", "");
        assertEquals(0, WrkOutput.parse(well).failed());
    }

    @Test
    void errorsOfSocketsAreAddedUp() {
        String errors = CAPTURED.replace(
                "  Non-2xx or 3xx responses: 134214",
                "  Socket errors: connect 1, read 20, write 300, timeout 4000\n  Non-2xx or 3xx responses: 50000");
        assertEquals(54_321, WrkOutput.parse(errors).failed());
    }

    @ParameterizedTest
    @CsvSource({"850.00us, 0.85", "5.55ms, 5.55", "1.20s, 1200", "1.50m, 90000", "0.00us, 0"})
    void latencyHasUnits(String printed, double millis) {
        WrkOutput output = WrkOutput.parse(CAPTURED.replace("50%    1.12ms", "50%  " + printed));
        assertEquals(millis, output.p50Millis(), 1e-9);
    }

    @ParameterizedTest
    @CsvSource({"197.31, 197.31", "43.22k, 43220", "1.50M, 1500000"})
    void requestsHaveUnits(String printed, double perSecond) {
        WrkOutput output = WrkOutput.parse(CAPTURED.replace("44690.48", printed));
        assertEquals(perSecond, output.perSecond(), 1e-6);
    }

    @Test
    void whatIsNoResultIsToldAsItIs() {
        IllegalArgumentException wrong = assertThrows(
                IllegalArgumentException.class,
                () -> WrkOutput.parse("unable to connect to 127.0.0.1:1 Connection refused\n"));
        assertTrue(wrong.getMessage().endsWith(": unable to connect to 127.0.0.1:1 Connection refused"));
    }

    @Test
    void wrkThatIsNotThereIsToldInOneLine(@TempDir Path empty) {
        IOException missing = assertThrows(IOException.class, () -> Wrk.find(empty.toString()));
        assertEquals("There is no wrk on the PATH to compare with: install wrk", missing.getMessage());
        assertThrows(IOException.class, () -> Wrk.find(null));
        assertThrows(IOException.class, () -> Wrk.find(""));
    }

    @Test
    void wrkIsFoundInTheFirstFolderThatHasIt(@TempDir Path folder) throws Exception {
        Path program = executable(folder, "exit 0");
        assertEquals(program, Wrk.find("/nowhere::" + folder + ":/usr/bin").program());
    }

    @Test
    void wrkThatFailsIsToldInItsOwnWords(@TempDir Path folder) throws Exception {
        Wrk failing = new Wrk(executable(folder, "echo unable to connect; exit 1"));
        IOException failure =
                assertThrows(IOException.class, () -> failing.load(java.net.URI.create("http://127.0.0.1:1/"), 1, 1));
        assertEquals("wrk has failed: unable to connect", failure.getMessage());
    }

    private static Path executable(Path folder, String script) throws IOException {
        Path program = Files.writeString(folder.resolve("wrk"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }
}
