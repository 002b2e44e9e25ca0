package io.penstock.naming;

import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.EnvironmentException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file in which the operator configures data sources. The file is in UTF-8 and has lines of the form {@code name.key = value}.
 * Empty lines and lines that begin with {@code #} are ignored. {@code docs/configuration.md} lists the keys.
 */
final class DataSourceFile {
    private static final String PROPERTY = ".property.";
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(s|m|h)");
    private static final Set<String> KEYS = Set.of(
            "url",
            "class",
            "server",
            "port",
            "database",
            "user",
            "password",
            "password-file",
            "min-connections",
            "max-connections",
            "max-idle-time",
            "connection-timeout",
            "isolation",
            "jars");

    private final Path file;
    /** The lines of each data source, by key. The key of the outer map is the name of the data source. */
    private final Map<String, Map<String, Line>> sources = new LinkedHashMap<>();

    private record Line(String value, String at) {}

    private DataSourceFile(Path file) {
        this.file = file;
    }

    static Map<String, ConfiguredSource> read(Path file) throws EnvironmentException {
        DataSourceFile reader = new DataSourceFile(file);
        reader.readLines();
        Map<String, ConfiguredSource> sources = new LinkedHashMap<>();
        for (Map.Entry<String, Map<String, Line>> source : reader.sources.entrySet()) {
            sources.put(source.getKey(), reader.source(source.getKey(), source.getValue()));
        }
        return sources;
    }

    private static List<String> lines(Path file, String what) throws EnvironmentException {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + what + " " + file + ": " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof CharacterCodingException) {
            return "not in UTF-8";
        }
        return failure instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(failure.getMessage());
    }

    private void readLines() throws EnvironmentException {
        int number = 0;
        for (String line : lines(file, "the file of data sources")) {
            number++;
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                readLine(line, file + ":" + number);
            }
        }
    }

    private void readLine(String line, String at) throws EnvironmentException {
        int equals = line.indexOf('=');
        String left = equals < 0 ? "" : line.substring(0, equals).strip();
        int property = left.indexOf(PROPERTY);
        int dot = property > 0 ? property : left.lastIndexOf('.');
        if (dot <= 0 || dot == left.length() - 1) {
            throw new EnvironmentException(at + ": not of the form name.key = value");
        }
        String key = left.substring(dot + 1);
        if (property <= 0 && !KEYS.contains(key)) {
            throw new EnvironmentException(at + ": unknown key '" + key + "'");
        }
        Line earlier = sources.computeIfAbsent(left.substring(0, dot), name -> new TreeMap<>())
                .put(key, new Line(line.substring(equals + 1).strip(), at));
        if (earlier != null) {
            throw new EnvironmentException(at + ": '" + left + "' is given already in " + earlier.at);
        }
    }

    private ConfiguredSource source(String name, Map<String, Line> keys) throws EnvironmentException {
        String at = keys.values().iterator().next().at;
        if (!keys.containsKey("url") && !keys.containsKey("class")) {
            throw new EnvironmentException(at + ": the data source '" + name + "' has neither url nor class");
        }
        Map<String, String> properties = new LinkedHashMap<>();
        keys.forEach((key, line) -> {
            if (key.startsWith("property.")) {
                properties.put(key.substring("property.".length()), line.value);
            }
        });
        DataSourceDefinition definition = new DataSourceDefinition(
                GlobalNames.PREFIX + name,
                text(keys, "class"),
                text(keys, "url"),
                text(keys, "server"),
                number(keys, "port"),
                text(keys, "database"),
                text(keys, "user"),
                password(keys),
                seconds(keys, "connection-timeout"),
                properties,
                new DataSourceDefinition.Pool(
                        number(keys, "min-connections"),
                        number(keys, "max-connections"),
                        seconds(keys, "max-idle-time"),
                        isolation(keys)),
                at);
        return new ConfiguredSource(definition, jars(keys));
    }

    private static @Nullable String text(Map<String, Line> keys, String key) {
        Line line = keys.get(key);
        return line == null ? null : line.value;
    }

    private static @Nullable Integer number(Map<String, Line> keys, String key) throws EnvironmentException {
        Line line = keys.get(key);
        if (line == null) {
            return null;
        }
        if (!line.value.matches("[0-9]{1,9}")) {
            throw new EnvironmentException(line.at + ": " + key + " must be a whole number, not '" + line.value + "'");
        }
        return Integer.valueOf(line.value);
    }

    private static @Nullable Integer seconds(Map<String, Line> keys, String key) throws EnvironmentException {
        Line line = keys.get(key);
        if (line == null) {
            return null;
        }
        Matcher parts = DURATION.matcher(line.value);
        if (!parts.matches()) {
            throw new EnvironmentException(
                    line.at + ": " + key + " must be a time such as 20s, 5m or 1h, not '" + line.value + "'");
        }
        int unit =
                switch (parts.group(2)) {
                    case "h" -> 3600;
                    case "m" -> 60;
                    default -> 1;
                };
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(parts.group(1)) * unit);
    }

    private static @Nullable String isolation(Map<String, Line> keys) throws EnvironmentException {
        Line line = keys.get("isolation");
        if (line == null) {
            return null;
        }
        return switch (line.value) {
            case "read-uncommitted" -> "TRANSACTION_READ_UNCOMMITTED";
            case "read-committed" -> "TRANSACTION_READ_COMMITTED";
            case "repeatable-read" -> "TRANSACTION_REPEATABLE_READ";
            case "serializable" -> "TRANSACTION_SERIALIZABLE";
            default ->
                throw new EnvironmentException(line.at + ": isolation must be read-uncommitted, read-committed,"
                        + " repeatable-read or serializable, not '" + line.value + "'");
        };
    }

    /** The password, from the key {@code password} or from a separate file. A secret store can supply that file. */
    private @Nullable String password(Map<String, Line> keys) throws EnvironmentException {
        Line inFile = keys.get("password-file");
        if (inFile == null) {
            return text(keys, "password");
        }
        if (keys.containsKey("password")) {
            throw new EnvironmentException(inFile.at + ": both password and password-file are given");
        }
        List<String> lines = lines(file.resolveSibling(inFile.value), inFile.at + ": the password file");
        return lines.isEmpty() ? "" : lines.get(0);
    }

    private List<Path> jars(Map<String, Line> keys) throws EnvironmentException {
        Line line = keys.get("jars");
        List<Path> jars = new ArrayList<>();
        if (line != null) {
            for (String name : line.value.split(Pattern.quote(File.pathSeparator), -1)) {
                Path jar = file.resolveSibling(name.strip());
                if (!Files.isRegularFile(jar)) {
                    throw new EnvironmentException(line.at + ": no such file: " + jar);
                }
                jars.add(jar);
            }
        }
        return jars;
    }
}
