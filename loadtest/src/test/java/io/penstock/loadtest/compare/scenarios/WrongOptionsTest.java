package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.compare.CompareCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests that a wrong option is reported before any server starts. */
class WrongOptionsTest {
    @ParameterizedTest
    @CsvSource({
        "idle, --connections=0, --connections must be at least 1",
        "slow-upload, --slow=0, --slow must be at least 1",
        "slow-upload, --drop=0, The bytes sent at a time must be at least 1",
        "slow-upload, --upload-size=3g, --upload-size must be at most 2147483647",
        "slow-upload, --burst=3g, --burst must be at most 2147483647",
        "slow-read, --read=0, The bytes read at a time must be at least 1",
        "slow-read, --requests=1, Each slice needs a request",
        "slow-head, --rate=0, --rate must be at least 1",
        "slow-handshake, --handshakes=-1, --handshakes must be at least 0",
        "renewal, --swaps=0, --swaps must be at least 1",
        "slow-mixed, --uploads=-1, --uploads must be at least 0",
        "slow-mixed, --burst=3g, --burst must be at most 2147483647",
        "pooled, --drop-pause=0, The pause between two pieces must be at least 1",
        "overload, --rate=0, --rate must be at least 1",
        "overload, --queue=-1, --queue must be at least 0",
        "overload, --duration=5, is not a duration",
        "files, --users=0, --users must be at least 1",
        "startup, --rounds=0, --rounds must be at least 1",
        "startup, --repeats=-1, --repeats must be at least 0",
        "startup, --war=some.war, --war needs --jar",
        "startup, --servers=nobody, no such server: 'nobody'",
        "startup, --smoke --write-docs=some.md, --smoke cannot be combined with --write-docs",
        "all, --smoke --write-docs=some.md, --smoke cannot be combined with --write-docs",
        "all, --heap=much, --heap must be a size",
    })
    void aWrongOptionIsReported(String scenario, String option, String message) {
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new CompareCommand());
        command.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of(scenario, "--peers=nowhere"));
        arguments.addAll(List.of(option.split(" ")));
        assertEquals(2, command.execute(arguments.toArray(String[]::new)), err.toString());
        assertTrue(err.toString().contains(message), err.toString());
    }
}
