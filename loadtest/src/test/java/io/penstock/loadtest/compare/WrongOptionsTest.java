package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a wrong option is reported before any server starts, and that each comparison has its options. */
class WrongOptionsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource({
        "idle, --connections=0, --connections must be at least 1",
        "slow-upload, --slow=0, --slow must be at least 1",
        "slow-upload, --slow=many, Invalid value for option '--slow'",
        "slow-read, --requests=1, Each slice needs a request",
        "slow-read, --tls --requests=1, Each slice needs a request",
        "slow-head, --rate=0, --rate must be at least 1",
        "slow-handshake, --handshakes=-1, --handshakes must be at least 0",
        "renewal, --swaps=0, --swaps must be at least 1",
        "slow-mixed, --uploads=-1, --uploads must be at least 0",
        "slow-mixed, --to-gather=0, --to-gather must be at least 1ms",
        "overload, --rate=0, --rate must be at least 1",
        "overload, --queue=-1, --queue must be at least 0",
        "overload, --duration=5, is not a duration",
        "files, --duration=0, --duration must be at least 1ms",
        "users, '--users=20,film', --users must be numbers from 1 to 99999",
        "users, --users=0, --users must be numbers from 1 to 99999",
        "startup, --rounds=0, --rounds must be at least 1",
        "startup, --repeats=-1, --repeats must be at least 0",
        "startup, --servers=nobody, no such server: 'nobody'",
        "startup, --heap=much, --heap must be a size",
        "startup, --smoke --write-docs=., --smoke cannot be combined with --write-docs",
        "startup, --write-docs=some.md, --write-docs is not a folder",
        "rows, --works=dancing, use hello-64",
        "rows, --client=nobody, use auto",
        "rows, --go-on, --go-on needs --out",
        "--tls, --works=hello-64, use tls-hello-64",
        "waiting, --virtual-threads --works=beside-400, use wait-20-start",
        "startup, --tls, Unknown option: '--tls'",
    })
    void aWrongOptionIsReported(String comparison, String option, String message) {
        List<String> arguments = new ArrayList<>(List.of(comparison));
        arguments.addAll(List.of(option.split(" ")));
        int exit = run(arguments);
        assertTrue(err.toString().contains(message), err.toString());
        assertEquals(2, exit, err.toString());
    }

    static List<String> commands() {
        return Comparison.ALL.stream().map(Comparison::command).distinct().toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theHelpNamesTheWorksTheServersAndTheSizes(String command) {
        assertEquals(0, run(List.of(command, "--help")), err::toString);
        String help = out.toString().replaceAll("\\s+", " ");
        for (Comparison comparison : Comparison.ALL) {
            if (comparison.command().equals(command)) {
                comparison.sizes().forEach(size -> assertTrue(help.contains(size.option()), help));
                assertTrue(help.contains(comparison.variant()), help);
            }
        }
    }

    @Test
    void theProgramsOfTheServersMustExist() {
        assertEquals(3, run(List.of("startup")));
        assertTrue(err.toString().contains("run 'mvn -DskipTests package' first"), err::toString);
    }

    private int run(List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("compare"));
        arguments.addAll(options);
        arguments.add("--peers=nowhere");
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }
}
