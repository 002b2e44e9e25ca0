package io.penstock.standalone;

import io.penstock.limits.OperatorFile;
import java.io.IOException;
import java.io.Reader;
import java.io.StreamTokenizer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces each {@code @FILE} of a command line by the arguments in that file. White space separates arguments. An argument with spaces
 * needs quotes, and {@code #} begins a comment. {@code @@NAME} means the argument {@code @NAME}. {@code @NAME} stays unchanged if no file
 * has this name.
 */
final class ArgumentFiles {
    private static final char MARK = '@';

    private ArgumentFiles() {}

    /** @throws OperatorException if a file cannot be read */
    static List<String> expanded(List<String> arguments) {
        List<String> expanded = new ArrayList<>();
        for (String argument : arguments) {
            Path file = file(argument);
            if (file != null) {
                expanded.addAll(read(file));
            } else {
                boolean isEscaped = argument.length() > 1 && argument.charAt(0) == MARK && argument.charAt(1) == MARK;
                expanded.add(isEscaped ? argument.substring(1) : argument);
            }
        }
        return expanded;
    }

    private static @Nullable Path file(String argument) {
        if (argument.length() < 2 || argument.charAt(0) != MARK || argument.charAt(1) == MARK) {
            return null;
        }
        try {
            Path file = Path.of(argument.substring(1));
            return Files.isRegularFile(file) ? file : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static List<String> read(Path file) {
        List<String> arguments = new ArrayList<>();
        try (Reader reader = Files.newBufferedReader(file)) {
            StreamTokenizer tokens = new StreamTokenizer(reader);
            // The tokenizer must not parse numbers.
            tokens.resetSyntax();
            tokens.wordChars(' ', Character.MAX_VALUE);
            tokens.whitespaceChars(0, ' ');
            tokens.quoteChar('"');
            tokens.quoteChar('\'');
            tokens.commentChar('#');
            while (tokens.nextToken() != StreamTokenizer.TT_EOF) {
                arguments.add(tokens.sval);
            }
        } catch (IOException e) {
            throw new OperatorException(
                    ExitCode.USAGE, "cannot read the arguments in " + file + ": " + OperatorFile.reason(e), e);
        }
        return arguments;
    }
}
