package io.penstock.migrate;

import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import io.penstock.limits.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of the new configuration, until {@link #write} writes them into one folder. Only the user who migrates can read the folder,
 * since passwords are in it.
 *
 * <p>Thread: one.
 */
final class PenstockFiles {
    static final String PROPERTIES = "penstock.properties";
    static final String ARGUMENTS = "arguments";
    static final String JAVA_OPTIONS = "java-options";
    static final String REPORT = "report.md";
    static final String DATA_SOURCES = "data-sources.properties";
    static final String USERS = "users";
    static final String RULES = "response-rules";

    final Path folder;
    final List<App> apps = new ArrayList<>();
    final List<String> javaOptions = new ArrayList<>();
    final List<String> users = new ArrayList<>();
    final List<String> rules = new ArrayList<>();

    /** Data sources by name, each with its keys. */
    final Map<String, Map<String, String>> dataSources = new LinkedHashMap<>();

    private final Map<String, Entry> properties = new LinkedHashMap<>();
    private final List<Path> folders = new ArrayList<>();
    private final Map<String, byte[]> others = new LinkedHashMap<>();

    private record Entry(String value, String from) {}

    PenstockFiles(Path folder) {
        this.folder = folder;
    }

    /** A folder in the folder of the new configuration. */
    Path folder(String name) {
        Path inside = folder.resolve(name).normalize();
        folders.add(inside);
        return inside;
    }

    /** The path of a file of the new configuration. */
    Path file(String name) {
        return folder.resolve(name);
    }

    /** Adds a file with these bytes. Returns its path. */
    Path add(String name, byte[] bytes) {
        others.put(name, bytes);
        return file(name);
    }

    boolean has(String key) {
        return properties.containsKey(key);
    }

    @Nullable
    String get(String key) {
        Entry entry = properties.get(key);
        return entry == null ? null : entry.value();
    }

    /**
     * Sets a key, or a setting of an application.
     *
     * @param from the element that has the value
     * @return the problem, if the key has another value already or the server refuses the value; null if the key is set
     */
    @Nullable
    String set(String key, String value, String from) {
        Entry earlier = properties.get(key);
        if (earlier != null) {
            return earlier.value().equals(value)
                    ? null
                    : "the server has one " + key + ", which " + earlier.from() + " sets already";
        }
        try {
            ConfigurationSources one = new ConfigurationSources().flag(key, value, new Origin.Told("here"));
            if (Key.named(key).filter(PenstockFiles::isMeasure).isPresent()) {
                one.resolve();
            }
        } catch (ConfigurationException e) {
            return String.valueOf(e.getMessage()).replace(" (from here)", "");
        }
        properties.put(key, new Entry(value, from));
        return null;
    }

    private static boolean isMeasure(Key key) {
        return key.type() == ValueType.NUMBER || key.type() == ValueType.BYTES || key.type() == ValueType.DURATION;
    }

    /** Adds a name to a key that is a list. */
    void append(String key, String value, String from) {
        Entry earlier = properties.get(key);
        properties.put(
                key,
                earlier == null ? new Entry(value, from) : new Entry(earlier.value() + "," + value, earlier.from()));
    }

    /**
     * Adds a data source. If another one has the name, the new one gets another name.
     *
     * @return the name
     */
    String dataSource(String name, Map<String, String> keys) {
        String free = name;
        for (int i = 2; dataSources.containsKey(free) && !keys.equals(dataSources.get(free)); i++) {
            free = name + i;
        }
        dataSources.put(free, keys);
        return free;
    }

    /** Writes all files. Returns the arguments of the server. */
    List<String> write() throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Set<PosixFilePermission> onlyUser = PosixFilePermissions.fromString("rwx------");
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(onlyUser));
            Files.setPosixFilePermissions(folder, onlyUser); // an empty folder may have been there
        } else {
            Files.createDirectories(folder);
        }
        for (Path inside : folders) {
            Files.createDirectories(inside);
        }
        for (App app : apps) {
            String override = app.overrideXml();
            if (!override.isEmpty()) {
                Path file = file("web-" + app.fileName() + ".xml");
                Files.writeString(file, override);
                for (String location : app.locations) {
                    set(location + ":override-web-xml", file.toString(), "what the application gets from Tomcat");
                }
            }
        }
        for (Map.Entry<String, byte[]> other : others.entrySet()) {
            Files.write(file(other.getKey()), other.getValue());
        }
        lines(DATA_SOURCES, "data-sources", dataSourceLines());
        lines(USERS, "realm-file", users);
        lines(RULES, "response-rules", rules);
        List<String> arguments =
                new ArrayList<>(List.of("--config", file(PROPERTIES).toString()));
        for (App app : apps) {
            if (!app.inFolder) {
                app.locations.forEach(location -> arguments.add(location + "=" + app.content));
            }
        }
        Files.writeString(file(PROPERTIES), propertiesText());
        Files.writeString(
                file(ARGUMENTS),
                "# java -jar penstock.jar @" + file(ARGUMENTS) + "\n" + String.join("\n", quoted(arguments)) + "\n");
        if (!javaOptions.isEmpty()) {
            Files.writeString(file(JAVA_OPTIONS), String.join("\n", quoted(javaOptions)) + "\n");
        }
        return arguments;
    }

    private void lines(String name, String key, List<String> lines) throws IOException {
        if (!lines.isEmpty()) {
            Files.writeString(file(name), String.join("\n", lines) + "\n");
            set(key, file(name).toString(), name);
        }
    }

    private List<String> dataSourceLines() {
        List<String> lines = new ArrayList<>();
        dataSources.forEach((name, keys) -> keys.forEach((key, value) -> lines.add(name + "." + key + " = " + value)));
        return lines;
    }

    private String propertiesText() {
        StringBuilder text = new StringBuilder("# Made by penstock migrate; " + REPORT + " says from what.\n");
        properties.forEach((key, entry) -> text.append("\n# ")
                .append(entry.from())
                .append('\n')
                .append(escapedKey(key))
                .append(" = ")
                .append(escaped(entry.value()))
                .append('\n'));
        return text.toString();
    }

    /** The key with a backslash before each character that would end it. The colon after the context does not end it. */
    private static String escapedKey(String key) {
        int end = key.indexOf(':', key.startsWith("//[") ? key.indexOf(']') : 0) + 1;
        return key.substring(0, end).replace(" ", "\\ ") + key.substring(end).replaceAll("[\\\\:= ]", "\\\\$0");
    }

    private static String escaped(String value) {
        String text = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
        return text.startsWith(" ") ? "\\" + text : text;
    }

    /** Java and {@code ArgumentFiles} read these files alike: quotes around an argument, and a backslash before a backslash. */
    private static List<String> quoted(List<String> arguments) {
        return arguments.stream()
                .map(argument -> argument.matches("[A-Za-z0-9_./:=,@+*-]+")
                        ? argument
                        : '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .toList();
    }
}
