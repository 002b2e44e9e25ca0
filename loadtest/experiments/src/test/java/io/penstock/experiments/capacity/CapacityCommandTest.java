package io.penstock.experiments.capacity;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CapacityCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void theMarkdownContainsATableRowForEachNumberOfUsersAndTheSettings() {
        assertEquals(0, run("--users=1e4,1e8", "--most-requests=20000", "--markdown"), err::toString);
        String text = out.toString();
        assertTrue(text.contains("| 10,000 | "), text);
        assertTrue(text.contains("| 100,000,000 | "), text);
        assertTrue(text.contains("--think 15s, --think-spread lognormal, --connections 2, --keep-alive 1m"), text);
        assertTrue(text.contains("--most-requests 20000.0. Seed 1."), text);
        assertTrue(text.contains("capacity --users=1e4,1e8 --most-requests=20000"), text);
    }

    /**
     * With Little's law, the command computes the arrival rate from the number of users. In a simulation with this arrival rate, the mean
     * number of users must be the number from the option {@code --users}.
     */
    @Test
    void theSimulationHasTheGivenNumberOfConcurrentUsers() {
        assertEquals(0, run("--users=2000", "--at-once", "--duration=10m"), err::toString);
        String[] cells = out.toString()
                .lines()
                .filter(line -> line.strip().startsWith("2,000 "))
                .findFirst()
                .orElseThrow()
                .strip()
                .split(" {2,}");
        assertEquals(2000, Double.parseDouble(cells[1].replace(",", "")), 100, out.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--users=0",
                "--fill=0",
                "--writes=1.5",
                "--requests=0.5",
                "--at-once --requests=1",
                "--heap=100m",
                "--think=0",
                "--duration=0"
            })
    void anInvalidOptionIsReported(String options) {
        assertEquals(2, run(options.split(" ")), out.toString());
        assertTrue(err.toString().contains("capacity --help"), err.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0        | 0       | 0 B
                    999.4    | 999     | 999 B
                    55555    | 55,600  | 55.6 KB
                    1e9      | 1,000,000,000 | 1 GB
                    """)
    void numbersAreRoundedToThreeSignificantDigits(double value, String count, String bytes) {
        assertEquals(count, CapacityCommand.count(value));
        assertEquals(bytes, CapacityCommand.bytes(value));
    }

    @Test
    void theCommandsInTheDocumentAreUnderstood() throws IOException {
        String document = Files.readString(Path.of("..", "..", "docs", "scaling.md"));
        List<String> commands = Pattern.compile("experiments\\.jar (capacity [^`\n]+)")
                .matcher(document)
                .results()
                .map(command -> command.group(1))
                .toList();
        assertFalse(commands.isEmpty());
        commands.forEach(command -> assertDoesNotThrow(() -> Main.commandLine().parseArgs(command.split(" "))));
    }

    private int run(String... options) {
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] arguments = new String[options.length + 1];
        arguments[0] = "capacity";
        System.arraycopy(options, 0, arguments, 1, options.length);
        return command.execute(arguments);
    }
}
