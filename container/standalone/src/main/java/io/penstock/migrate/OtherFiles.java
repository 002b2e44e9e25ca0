package io.penstock.migrate;

import io.penstock.limits.OperatorFile;
import io.penstock.migrate.Report.Outcome;
import io.penstock.migrate.TomcatTable.Answer;
import io.penstock.migrate.TomcatTable.Sign;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maps {@code setenv.sh}, {@code catalina.properties} and {@code web.xml}. Thread: one. */
final class OtherFiles {
    private static final Pattern ASSIGNMENT = Pattern.compile("\\s*(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)");
    private static final Pattern OPTION = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final Pattern OWN_REFERENCE = Pattern.compile("\\$\\{?[A-Z_]+OPTS\\}?");
    private static final List<String> OF_TOMCAT = List.of(
            "-Djava.util.logging", "-Dcatalina.", "-Djava.protocol.handler.pkgs", "-Dorg.apache.", "-Djava.endorsed");
    private static final String TOMCAT_FILTERS = "org.apache.catalina.filters.";

    private final Migration migration;

    OtherFiles(Migration migration) {
        this.migration = migration;
    }

    private void tell(String file, int line, String what, String value, Outcome outcome, String text) {
        boolean secret = what.toLowerCase(java.util.Locale.ROOT).contains("pass");
        migration.report.add(new Report.Row(file, line, what, secret ? "…" : value, outcome, text));
    }

    private void tell(String file, int line, String what, String value, Answer answer) {
        Outcome outcome =
                switch (answer.sign()) {
                    case NOT_NEEDED -> Outcome.NOT_NEEDED;
                    case NOT_POSSIBLE -> Outcome.NOT_POSSIBLE;
                    default -> Outcome.MAPPED;
                };
        tell(file, line, what, value, outcome, answer.text());
    }

    // The script is not run: only assignments of plain text are read.
    void setenv() throws IOException {
        Path script = migration.base.resolve("bin/setenv.sh");
        if (!Files.isRegularFile(script)) {
            return;
        }
        String file = migration.shown(script);
        List<String> lines = OperatorFile.lines(script);
        for (int i = 0; i < lines.size(); i++) {
            int first = i + 1;
            StringBuilder whole = new StringBuilder(lines.get(i).strip());
            while (whole.length() > 0 && whole.charAt(whole.length() - 1) == '\\' && i + 1 < lines.size()) {
                whole.setLength(whole.length() - 1);
                whole.append(' ').append(lines.get(++i).strip());
            }
            String line = whole.toString();
            if (!line.isEmpty() && !line.startsWith("#") && !line.matches("export(\\s+[A-Za-z_]+)+")) {
                assignment(file, first, line);
            }
        }
    }

    private void assignment(String file, int line, String text) {
        Matcher assignment = ASSIGNMENT.matcher(text);
        if (!assignment.matches()) {
            tell(file, line, "command", text, Outcome.UNKNOWN, "commands are not run; read what it does");
            return;
        }
        String name = assignment.group(1);
        String value = assignment.group(2).strip();
        if (value.matches("\"[^\"]*\"|'[^']*'")) {
            value = value.substring(1, value.length() - 1);
        }
        Answer answer = migration.table.attribute("setenv.sh", name);
        if (answer == null || answer.sign() != Sign.CODE) {
            tell(file, line, name, value, answer == null ? new Answer(Sign.NOT_POSSIBLE, "unknown") : answer);
        } else if (name.endsWith("_OPTS")) {
            options(file, line, name, value);
        } else {
            tell(
                    file,
                    line,
                    name,
                    value,
                    Outcome.MAPPED,
                    "set it for the service of the server, too: Environment=" + name + "=... in the unit");
        }
    }

    private void options(String file, int line, String name, String value) {
        Matcher options = OPTION.matcher(OWN_REFERENCE.matcher(value).replaceAll(""));
        while (options.find()) {
            String option = options.group().replaceAll("^[\"']|[\"']$", "");
            String resolved =
                    migration.resolve(option.replaceAll("\\$\\{?CATALINA_(BASE|HOME)\\}?", migration.base.toString()));
            if (OF_TOMCAT.stream().anyMatch(option::startsWith)) {
                tell(file, line, name, option, Outcome.NOT_NEEDED, "only inside of Tomcat");
            } else if (resolved == null || resolved.contains("$") || resolved.contains("`")) {
                tell(
                        file,
                        line,
                        name,
                        option,
                        Outcome.NOT_POSSIBLE,
                        "the shell gives the value; write it into " + PenstockFiles.JAVA_OPTIONS);
            } else if (option.matches(
                    "-XX:\\+Use(ConcMarkSweep|ParNew)GC|-XX:(Max)?PermSize.*|-Djava.security.manager.*|-server|-client|-d64")) {
                tell(file, line, name, option, Outcome.NOT_NEEDED, "Java has no such option any more");
            } else {
                migration.files.javaOptions.add(resolved);
                property(resolved);
                tell(file, line, name, option, Outcome.MAPPED, "in " + PenstockFiles.JAVA_OPTIONS);
            }
        }
    }

    private void property(String option) {
        int equals = option.indexOf('=');
        if (option.startsWith("-D") && equals > 0) {
            migration.properties.put(option.substring(2, equals), option.substring(equals + 1));
        }
    }

    void catalinaProperties() throws IOException {
        Path path = migration.base.resolve("conf/catalina.properties");
        if (!Files.isRegularFile(path)) {
            return;
        }
        String file = migration.shown(path);
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(String.join("\n", OperatorFile.lines(path))));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            String value = properties.getProperty(name, "");
            migration.properties.putIfAbsent(name, value);
            Answer answer = migration.table.attribute("catalina.properties", name);
            if (answer == null || answer.sign() != Sign.CODE) {
                tell(file, 0, name, value, answer == null ? new Answer(Sign.NOT_POSSIBLE, "unknown") : answer);
            } else if (name.endsWith(".loader")) {
                loader(file, name, value);
            } else if (name.endsWith("jarsToSkip")) {
                String jars = value.strip().replaceAll("[,\\s]+", ",");
                String problem = jars.isEmpty() ? null : migration.files.set("exclude-scan", jars, file + " " + name);
                tell(
                        file,
                        0,
                        name,
                        "",
                        problem == null ? Outcome.MAPPED : Outcome.NOT_POSSIBLE,
                        problem == null ? "exclude-scan, for libraries in WEB-INF/lib" : problem);
            } else {
                migration.files.javaOptions.add("-D" + name + "=" + value);
                tell(
                        file,
                        0,
                        name,
                        value,
                        Outcome.MAPPED,
                        "a property of the system, in " + PenstockFiles.JAVA_OPTIONS);
            }
        }
    }

    private void loader(String file, String name, String value) {
        String own = value.replaceAll("\"?\\$\\{catalina\\.(base|home)\\}/lib(/\\*\\.jar)?\"?", "")
                .replaceAll("^[,\\s]+|[,\\s]+$", "");
        if (own.isEmpty()) {
            tell(
                    file,
                    0,
                    name,
                    value,
                    Outcome.NOT_NEEDED,
                    "only Tomcat's folder lib; put a library of your own into WEB-INF/lib, or into the folder of"
                            + " shared-libraries, and a JDBC driver into jars of its data source");
            return;
        }
        Set<String> folders = new LinkedHashSet<>();
        for (String entry : own.split("[,\\s]+")) {
            String resolved = migration.resolve(entry.replace("\"", "").replaceFirst("/\\*\\.jar$|/$", ""));
            folders.add(
                    resolved == null
                            ? entry
                            : migration.base.resolve(resolved).normalize().toString());
        }
        String folder = folders.iterator().next();
        boolean isForApplications = !name.equals("server.loader");
        String problem = null;
        if (!isForApplications) {
            problem = "only Tomcat itself has these classes";
        } else if (folders.size() > 1 || folder.endsWith(".jar") || folder.contains("$")) {
            problem = "shared-libraries is one folder: put all jars into it";
        } else {
            problem = migration.files.set("shared-libraries", folder, file + " " + name);
        }
        tell(
                file,
                0,
                name,
                value,
                problem == null ? Outcome.MAPPED : Outcome.NOT_POSSIBLE,
                problem == null ? "shared-libraries = " + folder : problem);
    }

    /** Reads the descriptor that Tomcat merges below those of all applications. Most of the shipped one is part of the server. */
    void webXml(List<App> apps) throws IOException {
        Path path = migration.base.resolve("conf/web.xml");
        if (!Files.isRegularFile(path)) {
            return;
        }
        XmlElement root = migration.read(path);
        List<XmlElement> types = root.all("mime-mapping");
        if (!types.isEmpty()) {
            general(types.get(0), "mime-mapping", types.size() + " elements");
        }
        for (XmlElement element : root.children()) {
            switch (element.name()) {
                case "session-config" -> sessionConfig(element);
                case "request-character-encoding" -> set(element, "request-encoding", element.text());
                case "response-character-encoding" -> set(element, "response-encoding", element.text());
                case "servlet" -> servlet(element, apps);
                case "filter" -> filter(element, List.of("/*"));
                case "mime-mapping" -> {}
                default -> general(element, element.name(), element.text());
            }
        }
    }

    private void general(XmlElement element, String name, String value) {
        Answer answer = migration.table.attribute("web.xml", name);
        if (answer != null) {
            tell(element.file(), element.line(), "<" + name + ">", value, answer);
        }
    }

    private void set(XmlElement element, String key, String value) {
        String problem = migration.files.set(key, value, element.file() + ":" + element.line());
        tell(
                element.file(),
                element.line(),
                "<" + element.name() + ">",
                element.text(),
                problem == null ? Outcome.MAPPED : Outcome.NOT_POSSIBLE,
                problem == null ? key + " = " + value : problem);
    }

    private void sessionConfig(XmlElement config) {
        for (XmlElement child : config.children()) {
            if (child.name().equals("session-timeout")) {
                String minutes = child.text().matches("-?[0-9]+") ? child.text() : "30";
                String value = minutes.startsWith("-") ? "0s" : minutes + "m";
                set(child, "session-timeout", value);
            } else {
                general(child, child.name(), child.text());
            }
        }
    }

    private void servlet(XmlElement servlet, List<App> apps) {
        String type = servlet.textOf("servlet-class");
        if (!type.equals("org.apache.catalina.servlets.DefaultServlet")) {
            boolean jsp = type.equals("org.apache.jasper.servlet.JspServlet");
            tell(
                    servlet.file(),
                    servlet.line(),
                    "<servlet> " + servlet.textOf("servlet-name"),
                    type,
                    jsp ? Outcome.NOT_NEEDED : Outcome.NOT_POSSIBLE,
                    jsp
                            ? "the server has JSPs; penstock.jsp.NAME sets an init parameter"
                            : "declare it in the override-web-xml of each application");
            return;
        }
        for (XmlElement parameter : servlet.all("init-param")) {
            String name = parameter.textOf("param-name");
            String value = parameter.textOf("param-value");
            String what = "default servlet " + name;
            if (name.equals("listings") && value.equals("true") || name.equals("fileEncoding")) {
                String key = name.equals("listings") ? "directory-listing" : "file-encoding";
                String set = name.equals("listings") ? "on" : value;
                List<String> problems = new ArrayList<>();
                for (App app : apps) {
                    for (String location : app.locations) {
                        String problem = migration.files.set(
                                location + ":" + key, set, parameter.file() + ":" + parameter.line());
                        if (problem != null) {
                            problems.add(problem);
                        }
                    }
                }
                tell(
                        parameter.file(),
                        parameter.line(),
                        what,
                        value,
                        problems.isEmpty() ? Outcome.MAPPED : Outcome.NOT_POSSIBLE,
                        problems.isEmpty() ? key + " = " + set + " for each application" : problems.get(0));
            } else {
                boolean usual = name.equals("debug")
                        || name.equals("listings") && value.equals("false")
                        || name.equals("readonly") && value.equals("true");
                tell(
                        parameter.file(),
                        parameter.line(),
                        what,
                        value,
                        usual ? Outcome.NOT_NEEDED : Outcome.NOT_POSSIBLE,
                        usual
                                ? "files are only read, and folders are not listed"
                                : "the server only reads files, and sends them its own way; use a servlet of the application");
            }
        }
    }

    /**
     * Reports a filter whose class is one of Tomcat.
     *
     * @param patterns the patterns for rules, with the context path
     */
    void filter(XmlElement filter, List<String> patterns) {
        String type = filter.textOf("filter-class");
        String what = "<filter> " + filter.textOf("filter-name");
        Answer answer = type.startsWith(TOMCAT_FILTERS)
                ? migration.table.attribute("filter:" + TomcatTable.simple(type), TomcatTable.ITSELF)
                : null;
        if (type.equals(TOMCAT_FILTERS + "HttpHeaderSecurityFilter")) {
            security(filter, what, type, patterns);
        } else if (answer != null) {
            tell(filter.file(), filter.line(), what, type, answer);
        } else {
            tell(
                    filter.file(),
                    filter.line(),
                    what,
                    type,
                    Outcome.NOT_POSSIBLE,
                    "declare it in the override-web-xml of each application, with its class in WEB-INF");
        }
    }

    private void security(XmlElement filter, String what, String type, List<String> patterns) {
        Map<String, String> parameters = new LinkedHashMap<>();
        filter.all("init-param")
                .forEach(parameter -> parameters.put(parameter.textOf("param-name"), parameter.textOf("param-value")));
        List<String> lines = new ArrayList<>();
        if (!"false".equals(parameters.get("antiClickJackingEnabled"))) {
            lines.add("X-Frame-Options: " + parameters.getOrDefault("antiClickJackingOption", "DENY"));
        }
        if (!"false".equals(parameters.get("blockContentTypeSniffingEnabled"))) {
            lines.add("X-Content-Type-Options: nosniff");
        }
        for (String pattern : patterns) {
            lines.forEach(line -> migration.files.rules.add(pattern + " " + line));
        }
        String age = parameters.getOrDefault("hstsMaxAgeSeconds", "0");
        boolean hsts = !"false".equals(parameters.get("hstsEnabled")) && age.matches("[1-9][0-9]*");
        if (hsts) {
            migration.files.set(
                    "hsts",
                    age + "s" + ("true".equals(parameters.get("hstsIncludeSubDomains")) ? ",includeSubDomains" : ""),
                    filter.file() + ":" + filter.line());
        }
        tell(
                filter.file(),
                filter.line(),
                what,
                type,
                Outcome.MAPPED,
                "lines in response-rules" + (hsts ? ", and hsts" : "")
                        + "; remove the filter from a web.xml of an application");
    }

    /** Reports the classes of Tomcat in the {@code web.xml} of an application. */
    void applicationWebXml(XmlElement root, String location) {
        String path = location.startsWith("//") ? location.replaceFirst("^//[^/]*", "") : location;
        String pattern = (path.equals("/") ? "" : path) + "/*";
        for (XmlElement element : root.children()) {
            String type = element.textOf(element.name() + "-class");
            if (!type.startsWith("org.apache.catalina.")) {
                continue;
            }
            if (element.name().equals("filter") && type.startsWith(TOMCAT_FILTERS)) {
                filter(element, List.of(pattern));
            } else {
                Answer answer = migration.table.attribute(element.name(), TomcatTable.ITSELF);
                tell(
                        element.file(),
                        element.line(),
                        "<" + element.name() + ">",
                        type,
                        answer == null ? new Answer(Sign.NOT_POSSIBLE, "a class of Tomcat") : answer);
            }
        }
    }
}
