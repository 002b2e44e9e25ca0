package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.Main;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParseResult;

/** Checks that the program understands the commands in the documents, with which their figures can be measured again. */
class DocumentedCommandsTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Pattern COMMAND =
            Pattern.compile("loadtest(?:\\.jar)? ((?:run|compare|starve|slow) [^`;|#\n]+)");

    /** What stands behind the command of a tool that is not in the program any more. */
    private static final Pattern GONE =
            Pattern.compile("`,\\s+a\\s+tool\\s+that\\s+is\\s+no\\s+longer\\s+in\\s+the\\s+tree");

    private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandIsUnderstood(String command) {
        List<String> words = new ArrayList<>();
        WORD.matcher(command).results().forEach(word -> words.add(word.group().replace("'", "")));
        ParseResult parsed = Main.commandLine().parseArgs(words.toArray(String[]::new));
        if (!words.get(0).equals("compare") || !parsed.subcommand().hasSubcommand()) {
            return;
        }
        ParseResult comparison = parsed.subcommand().subcommand();
        for (String server : comparison.matchedOptionValue("--servers", List.<String>of())) {
            assertTrue(Server.named(server).isPresent(), server);
        }
        Set<String> works = Comparison.ALL.stream()
                .filter(entry -> entry.command().equals(comparison.commandSpec().name()))
                .flatMap(entry -> entry.works().apply(new Sizes(entry.sizes(), false, Map.of())).stream())
                .map(Work::id)
                .collect(Collectors.toSet());
        for (String work : comparison.matchedOptionValue("--works", List.<String>of())) {
            assertTrue(works.contains(work), work);
        }
    }

    static Set<String> commands() throws IOException {
        Set<String> commands = new TreeSet<>();
        try (Stream<Path> documents = Files.walk(DOCS)) {
            for (Path document :
                    documents.filter(file -> file.toString().endsWith(".md")).toList()) {
                String text = Files.readString(document).replaceAll(" \\\\\n *", " ");
                Matcher command = COMMAND.matcher(text);
                while (command.find()) {
                    if (!GONE.matcher(text).region(command.end(), text.length()).lookingAt()) {
                        commands.add(command.group(1).strip());
                    }
                }
            }
        }
        return commands;
    }
}
