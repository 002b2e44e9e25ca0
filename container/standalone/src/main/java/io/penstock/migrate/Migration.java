package io.penstock.migrate;

import io.penstock.limits.OperatorFile;
import io.penstock.migrate.Report.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration of Tomcat, and writes one for Penstock, with a report. Nothing in the folders of Tomcat changes.
 *
 * <p>Thread: one.
 */
public final class Migration {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}:]+)(?::-([^}]*))?\\}");

    /** A value that names others more deeply than this names itself. */
    private static final int DEEPEST = 16;

    /** Files of Tomcat that have a line in the table and are not read. */
    private static final List<String> NOT_READ =
            List.of("conf/logging.properties", "conf/catalina.policy", "conf/jaspic-providers.xml", "bin/setenv.bat");

    final TomcatTable table = TomcatTable.TABLE;
    final Report report = new Report();
    final PenstockFiles files;

    /** The folder that relative names of files belong to. */
    final Path base;

    /** The properties that {@code ${name}} stands for. */
    final Map<String, String> properties = new LinkedHashMap<>();

    private List<String> arguments = List.of();

    private Migration(Path base, Path folder) {
        this.base = base;
        files = new PenstockFiles(folder);
        properties.put("catalina.base", base.toString());
        properties.put("catalina.home", base.toString());
        properties.put("user.home", System.getProperty("user.home", ""));
        properties.put("java.io.tmpdir", base.resolve("temp").toString()); // as Tomcat's scripts set it
    }

    /**
     * Migrates a configuration.
     *
     * @param source the folder CATALINA_BASE, or a single {@code server.xml}
     * @param target a folder that does not exist yet, or is empty
     * @throws IOException if a file cannot be read or written, or is not XML; the message names the file
     */
    public static Migration run(Path source, Path target) throws IOException {
        Path from = source.toAbsolutePath().normalize();
        if (!Files.exists(from)) {
            throw new IOException(source + ": no such file or folder");
        }
        requireEmpty(target);
        Path folder = target.toAbsolutePath().normalize();
        Migration migration;
        if (Files.isDirectory(from)) {
            Path serverXml = from.resolve("conf").resolve("server.xml");
            if (!Files.isRegularFile(serverXml)) {
                throw new IOException(source + ": not a CATALINA_BASE, since it has no conf/server.xml");
            }
            migration = new Migration(from, folder);
            migration.folder(serverXml);
        } else {
            Path parent = from.resolveSibling("");
            boolean inConf = parent.endsWith("conf");
            migration = new Migration(inConf ? parent.resolveSibling("") : parent, folder);
            migration.single(from);
        }
        migration.write(source);
        return migration;
    }

    private static void requireEmpty(Path target) throws IOException {
        if (Files.exists(target)) {
            String[] entries = target.toFile().list();
            if (entries == null) {
                throw new IOException(target + ": not a folder, or not readable");
            }
            if (entries.length > 0) {
                throw new IOException(target + ": the folder is not empty");
            }
        }
    }

    private void folder(Path serverXml) throws IOException {
        OtherFiles others = new OtherFiles(this);
        others.setenv();
        others.catalinaProperties();
        ContextXml contexts = new ContextXml(this);
        ServerXml server = new ServerXml(this, contexts);
        server.read(read(serverXml));
        server.contexts();
        Path shared = base.resolve("conf/context.xml");
        if (Files.isRegularFile(shared)) {
            contexts.read(read(shared), files.apps);
        }
        others.webXml(files.apps);
        if (!contexts.isCrossContext()) {
            files.set("cross-context", "refuse", "Tomcat's default, since no context has crossContext=\"true\"");
        }
        for (String name : NOT_READ) {
            if (Files.isRegularFile(base.resolve(name))) {
                tellFile(name, name.substring(name.indexOf('/') + 1));
            }
        }
    }

    private void single(Path file) throws IOException {
        XmlElement root = read(file);
        ContextXml contexts = new ContextXml(this);
        if (!root.name().equals("Server")) {
            throw new IOException(file + ": not a server.xml, since its element is <" + root.name() + ">");
        }
        ServerXml server = new ServerXml(this, contexts);
        server.read(root);
        server.contexts();
    }

    private void tellFile(String name, String kind) {
        TomcatTable.Answer answer = table.attribute(kind, TomcatTable.ITSELF);
        if (answer != null) {
            report.add(new Report.Row(
                    name,
                    0,
                    "the file",
                    "",
                    answer.sign() == TomcatTable.Sign.NOT_NEEDED ? Outcome.NOT_NEEDED : Outcome.NOT_POSSIBLE,
                    answer.text()));
        }
    }

    private void write(Path source) throws IOException {
        try {
            arguments = files.write();
            Files.writeString(files.file(PenstockFiles.REPORT), report.page(source.toString(), startCommand()));
        } catch (IOException e) {
            throw new IOException(OperatorFile.explained(e), e);
        }
    }

    /** The command that starts the server with the new configuration. */
    public String startCommand() {
        String options = files.javaOptions.isEmpty() ? "" : "@" + files.file(PenstockFiles.JAVA_OPTIONS) + " ";
        return "java " + options + "-jar penstock.jar @" + files.file(PenstockFiles.ARGUMENTS);
    }

    /** The arguments of the server with the new configuration. */
    public List<String> arguments() {
        return arguments;
    }

    /** Whether the new configuration has an application. */
    public boolean hasApplications() {
        return !files.apps.isEmpty();
    }

    /** The page with what became of each element and attribute. */
    public Path report() {
        return files.file(PenstockFiles.REPORT);
    }

    /** The folder with the new configuration. */
    public Path folder() {
        return files.folder;
    }

    /** One line with the numbers of settings, by what became of them. */
    public String summary() {
        return report.summary();
    }

    /** A line for each element and attribute that is not possible or unknown. */
    public List<String> toDecide() {
        return Stream.of(Outcome.NOT_POSSIBLE, Outcome.UNKNOWN)
                .flatMap(outcome -> report.rows(outcome).stream())
                .filter(row -> !row.text().equals(Settings.AS_ITS_ELEMENT))
                .map(row -> row.where() + ": " + row.what() + ": " + row.outcome() + ": " + row.text())
                .toList();
    }

    /** Reads an XML file. The report has the name of the file as seen from the base folder. */
    XmlElement read(Path file) throws IOException {
        return XmlElement.read(file, shown(file));
    }

    /** The name of a file as seen from the base folder. */
    String shown(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        return absolute.startsWith(base) ? base.relativize(absolute).toString() : absolute.toString();
    }

    /** The file of this name. A relative name belongs to the base folder. Null if the text is no name of a file. */
    @Nullable
    Path path(String name) {
        try {
            String plain = name.startsWith("file:") ? name.replaceFirst("^file:/*", "/") : name;
            return base.resolve(plain).normalize();
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** The value with each {@code ${name}} replaced, also those in the values of others; null if one of them has no value. */
    @Nullable
    String resolve(String value) {
        return resolve(value, 0);
    }

    @Nullable
    private String resolve(String value, int depth) {
        Matcher references = REFERENCE.matcher(value);
        StringBuilder resolved = new StringBuilder();
        while (references.find()) {
            String written = properties.getOrDefault(references.group(1), references.group(2));
            String found = written == null || depth == DEEPEST ? null : resolve(written, depth + 1);
            if (found == null) {
                return null;
            }
            references.appendReplacement(resolved, Matcher.quoteReplacement(found));
        }
        return references.appendTail(resolved).toString();
    }

    /** What to say of a value in which a {@code ${name}} has no value. */
    String missing(@Nullable String value) {
        Matcher references = REFERENCE.matcher(value == null ? "" : value);
        while (references.find()) {
            if (!properties.containsKey(references.group(1)) && references.group(2) == null) {
                return references.group()
                        + " has no value in catalina.properties and setenv.sh: write the value itself into the new"
                        + " configuration";
            }
        }
        return "write the value itself into the new configuration";
    }

    /** Reports an element that no code looks at, with all elements in it. */
    void leaf(XmlElement element, List<App> apps) {
        Settings settings = new Settings(this, element);
        settings.rest(apps);
        if (settings.isForCode()) {
            element.children().forEach(child -> leaf(child, apps));
        } else {
            element.children().forEach(child -> inside(child, settings.outcome()));
        }
    }

    /** Reports an element inside of another one, whose outcome it has. */
    void inside(XmlElement element, Outcome outcome) {
        new Settings(this, element).giveUp(outcome, Settings.AS_ITS_ELEMENT);
        element.children().forEach(child -> inside(child, outcome));
    }
}
