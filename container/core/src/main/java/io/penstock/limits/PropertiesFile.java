package io.penstock.limits;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.IntFunction;

/**
 * Reads files in the syntax of {@link Properties}, and keeps the line number of each entry. {@link Properties#load} does not keep line
 * numbers. Therefore, this class splits a file into logical lines, and loads each line separately.
 */
final class PropertiesFile {
    private static final String COLON = "(?<!\\\\):";
    private static final String ESCAPED = "\\\\:";

    private PropertiesFile() {}

    /**
     * One key and its value.
     *
     * @param line the number of the line on which the entry begins, from 1
     */
    record Entry(String key, String value, int line) {}

    static List<Entry> read(Path path) {
        try {
            return entries(OperatorFile.allLines(path), line -> new Origin.File(path, line));
        } catch (IOException e) {
            throw new ConfigurationException(
                    "cannot read the configuration file " + path + ": " + OperatorFile.reason(e), e);
        }
    }

    /**
     * Reads entries from text.
     *
     * @param name the name of the environment variable, for messages
     */
    static List<Entry> lines(String text, String name) {
        return entries(text.lines().toList(), line -> new Origin.Environment(name + ", line " + line));
    }

    private static List<Entry> entries(List<String> lines, IntFunction<Origin> origin) {
        List<Entry> entries = new ArrayList<>();
        int next = 0;
        while (next < lines.size()) {
            int first = next;
            StringBuilder logical = new StringBuilder(lines.get(next++));
            while (next < lines.size() && !isComment(lines.get(first)) && isContinued(logical)) {
                logical.append('\n').append(lines.get(next++));
            }
            Properties one = new Properties();
            try {
                one.load(new StringReader(withContext(logical.toString())));
            } catch (IllegalArgumentException e) {
                throw ConfigurationException.at(origin.apply(first + 1), "a malformed \\u escape", e);
            } catch (IOException e) {
                // This exception cannot occur, because the text is in memory.
                throw new UncheckedIOException(e);
            }
            for (String key : one.stringPropertyNames()) {
                entries.add(new Entry(key, one.getProperty(key), first + 1));
            }
        }
        return entries;
    }

    /**
     * Escapes the colons that belong to the key: the colon after the context, and the colons of an IPv6 address in the host. An unescaped
     * colon ends the key, like {@code =}.
     */
    private static String withContext(String line) {
        if (!ApplicationSetting.isNamed(line.stripLeading())) {
            return line;
        }
        int address = line.stripLeading().startsWith("//[") ? line.indexOf(']') + 1 : 0;
        return line.substring(0, address).replaceAll(COLON, ESCAPED)
                + line.substring(address).replaceFirst(COLON, ESCAPED);
    }

    private static boolean isComment(String line) {
        String content = line.stripLeading();
        return content.startsWith("#") || content.startsWith("!");
    }

    /** Whether the line continues in the next line. This is the case if the line ends with an odd number of backslashes. */
    private static boolean isContinued(CharSequence line) {
        int backslashes = 0;
        while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
