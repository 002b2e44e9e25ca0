package io.penstock.loadtest.cli;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The command line that the user entered. A report contains it, so that readers can repeat the measurement. */
public final class CommandLineUsed {
    private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private CommandLineUsed() {}

    /** The whole command line. It includes the options of the JVM if the operating system reports them. */
    public static String of(CommandSpec command) {
        CommandLine root = command.commandLine();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        List<String> arguments = root.getParseResult().originalArgs();
        List<String> process =
                List.of(ProcessHandle.current().info().arguments().orElse(new String[0]));
        return of(root.getCommandName(), arguments, process);
    }

    /** @param process all arguments of the JVM's process. They are used only if this list ends with the program's arguments */
    static String of(String program, List<String> arguments, List<String> process) {
        int before = process.size() - arguments.size();
        boolean started = before > 0 && process.subList(before, process.size()).equals(arguments);
        Stream<String> words = started
                ? Stream.concat(Stream.of("java"), process.stream())
                : Stream.concat(Stream.of(program), arguments.stream());
        return words.map(CommandLineUsed::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return NEEDS_NO_QUOTES.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
