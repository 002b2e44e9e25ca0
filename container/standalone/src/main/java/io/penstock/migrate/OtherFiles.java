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
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps {@code setenv.sh}, {@code catalina.properties} and {@code web.xml}. Thread: one. */
final class OtherFiles {
    private static final String IN_QUOTES = "\"(?:[^\"\\\\]++|\\\\.)*+\"|'[^']*'";

    /** {@code NAME=value}, or {@code : ${NAME:=value}}, with a semicolon or a comment after it. */
    private static final Pattern ASSIGNMENT = Pattern.compile(
            "(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)=(" + IN_QUOTES + "|[^;]*?)\\s*;?\\s*(?:(?<=[\\s;])#.*)?");

    private static final Pattern DEFAULT = Pattern.compile(":\\s*\"?\\$\\{([A-Za-z_][A-Za-z0-9_]*):?=(.*)\\}\"?\\s*;?");
    private static final Pattern EXPORT = Pattern.compile("export((?:\\s+[A-Za-z_][A-Za-z0-9_]*)+)\\s*;?");
    private static final Pattern OPTION = Pattern.compile("(?:" + IN_QUOTES + "|[^\\s\"'])+");
    private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\{([A-Za-z_]\\w*)(?::-)?\\}|([A-Za-z_]\\w*))");
    private static final List<String> OF_TOMCAT =
            List.of("-Djava.util.logging", "-Dcatalina.", "-Djava.protocol.handler.pkgs", "-Djava.endorsed");

    /** Options that Java 17 or a newer version does not have; with most of them it does not start. */
    private static final Pattern FORMER_OPTION = Pattern.compile(
            "-XX:[+-]?(Use(ConcMarkSweep|ParNew|ParallelOld)GC|UnlockCommercialFeatures|PrintPromotionFailure|\\w*CMS\\w*|\\w*BiasedLocking\\w*|(Max)?PermSize|PrintGC(Date|Time)Stamps|PrintGCApplication\\w+"
                    + "|PrintHeapAtGC\\w*|PrintTenuringDistribution|PrintAdaptiveSizePolicy|PrintGCCause|PrintReferenceGC"
                    + "|UseGCLogFileRotation|NumberOfGCLogFiles|GCLogFileSize|AggressiveOpts|UseCGroupMemoryLimitForHeap"
                    + "|UseFastAccessorMethods|UseSplitVerifier|UseCompressedStrings|UseStringCache)(=.*)?|-Xincgc"
                    + "|-Djava.security.manager.*|-Djava.ext.dirs=.*|-server|-client|-d64|-d32");

    /** Parameters of the default servlet that are about how Tomcat itself sends files. */
    private static final List<String> OF_DEFAULT_SERVLET = List.of(
            "debug",
            "input",
            "output",
            "sendfileSize",
            "showServerInfo",
            "useBomIfPresent",
            "sortListings",
            "sortDirectoriesFirst",
            "allowPartialPut");

    private static final String TOMCAT_FILTERS = "org.apache.catalina.filters.";
    private static final String ANY_PATH = "/*";
    private static final String CORS_FIELD = " Access-Control-";

    private final Migration migration;

    /** The variables that the script has set, in which a shell's {@code $NAME} is replaced. */
    private final Map<String, String> variables = new LinkedHashMap<>();

    /** The variables of the script that have options of Java. */
    private final Set<String> optionVariables = new LinkedHashSet<>(List.of("JAVA_OPTS", "CATALINA_OPTS"));

    /** The number of lines of rules for all applications. */
    private int rulesForAll;

    OtherFiles(Migration migration) {
        this.migration = migration;
    }

    private void tell(String file, int line, String what, String value, Outcome outcome, String text) {
        migration.report.add(new Report.Row(file, line, what, Settings.shown(what, value), outcome, text));
    }

    private void tell(String file, int line, String what, String value, Answer answer) {
        Answer forValue = answer.of(value);
        tell(file, line, what, value, Settings.outcome(forValue), forValue.text());
    }

    // The script is not run: only assignments of plain text are read.
    void setenv() throws IOException {
        Path script = migration.base.resolve("bin/setenv.sh");
        if (!Files.isRegularFile(script)) {
            return;
        }
        variables.put("CATALINA_BASE", migration.base.toString());
        variables.put("CATALINA_HOME", migration.base.toString());
        String file = migration.shown(script);
        List<String> lines = OperatorFile.lines(script);
        String whole = String.join("\n", lines);
        int conditions = 0;
        for (int i = 0; i < lines.size(); i++) {
            int first = i;
            i = last(lines, first);
            String line = lines.subList(first, i + 1).stream()
                    .map(part -> part.strip().replaceFirst("\\\\$", " "))
                    .collect(Collectors.joining(" "))
                    .strip();
            conditions += line.matches("(if|case|for|while|until)\\b.*") ? 1 : 0;
            conditions -= line.matches("(.*[;\\s])?(fi|esac|done)\\s*;?") ? 1 : 0;
            boolean isSetting = !line.isEmpty()
                    && !line.startsWith("#")
                    && !EXPORT.matcher(line).matches()
                    && !line.matches("(then|else|fi|do|done|esac|;;|[{}])\\s*;?");
            if (isSetting) {
                assignment(file, first + 1, line, conditions > 0, whole);
            }
        }
    }

    /** The last line of the command that begins at this one: it goes on after a backslash, and within quotes. */
    private static int last(List<String> lines, int first) {
        boolean isOpen = false;
        for (int i = first; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (i == first && line.startsWith("#")) {
                return first;
            }
            isOpen ^= line.replaceAll("\\\\.|'[^']*'", "")
                                    .chars()
                                    .filter(c -> c == '"')
                                    .count()
                            % 2
                    == 1;
            if (!isOpen && !line.endsWith("\\")) {
                return i;
            }
        }
        return first;
    }

    /**
     * @param conditional whether the script runs the line under a condition only
     * @param script the whole script
     */
    private void assignment(String file, int line, String text, boolean conditional, String script) {
        Matcher assignment = ASSIGNMENT.matcher(text);
        Matcher byDefault = DEFAULT.matcher(text);
        Matcher found = assignment.matches() ? assignment : byDefault.matches() ? byDefault : null;
        if (found == null) {
            tell(file, line, "command", text, Outcome.UNKNOWN, "commands are not run; read what it does");
            return;
        }
        String name = found.group(1);
        String value = unquoted(found.group(2).strip());
        Answer answer = migration.table.attribute("setenv.sh", name);
        if (name.endsWith("_OPTS") && answer != null && answer.sign() == Sign.CODE) {
            optionVariables.add(name);
            options(file, line, name, value, conditional);
            return;
        }
        String expanded = expanded(value);
        if (!expanded.contains("$") && !expanded.contains("`")) {
            variables.put(name, expanded);
            if (name.equals("CATALINA_HOME")) {
                migration.properties.put("catalina.home", expanded);
            }
        }
        boolean isExported = text.startsWith("export") || exports(script, name);
        if (answer == null || answer.sign() != Sign.CODE) {
            tell(file, line, name, value, answer == null ? new Answer(Sign.NOT_POSSIBLE, "unknown") : answer);
        } else if (!isExported && script.matches("(?s).*\\$\\{?" + name + "\\b.*")) {
            tell(
                    file,
                    line,
                    name,
                    value,
                    Outcome.NOT_NEEDED,
                    "a variable of the script only; the lines that use it have its value");
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

    private static boolean exports(String script, String name) {
        return script.lines()
                .map(line -> EXPORT.matcher(line.strip()))
                .anyMatch(export -> export.matches()
                        && List.of(export.group(1).strip().split("\\s+")).contains(name));
    }

    private static String unquoted(String value) {
        if (value.matches("'[^']*'")) {
            return value.substring(1, value.length() - 1);
        }
        return value.matches("\"(?:[^\"\\\\]++|\\\\.)*+\"")
                ? value.substring(1, value.length() - 1).replaceAll("\\\\([\"\\\\`])", "$1")
                : value;
    }

    /** The text with the variables of the script, and without those that have options of Java. */
    private String expanded(String text) {
        return REFERENCE.matcher(text).replaceAll(reference -> {
            String name = reference.group(1) == null ? reference.group(2) : reference.group(1);
            String value = optionVariables.contains(name) ? "" : variables.get(name);
            return Matcher.quoteReplacement(value == null ? reference.group() : value);
        });
    }

    private void options(String file, int line, String name, String value, boolean conditional) {
        Matcher options = OPTION.matcher(expanded(value));
        while (options.find()) {
            String option = options.group().replaceAll("[\"']", "");
            String resolved = migration.resolve(option);
            int equals = option.indexOf('=');
            String plain = equals < 0 ? option : option.substring(0, equals);
            String what = name + (option.startsWith("-D") ? " " + plain : "");
            Answer ofTomcat = option.startsWith("-D")
                    ? migration.table.attribute("catalina.properties", plain.substring(2))
                    : null;
            if (OF_TOMCAT.stream().anyMatch(option::startsWith)) {
                tell(file, line, what, option, Outcome.NOT_NEEDED, "only inside of Tomcat");
            } else if (ofTomcat != null && ofTomcat.sign() != Sign.CODE) {
                Answer forValue = ofTomcat.of(option.substring(equals + 1));
                tell(file, line, what, option, Settings.outcome(forValue), forValue.text());
            } else if (resolved == null || resolved.contains("$") || resolved.contains("`")) {
                tell(
                        file,
                        line,
                        what,
                        option,
                        Outcome.NOT_POSSIBLE,
                        "the shell gives the value of " + plain + "; write it into " + PenstockFiles.JAVA_OPTIONS);
            } else if (FORMER_OPTION.matcher(option).matches()) {
                tell(file, line, what, option, Outcome.NOT_NEEDED, "Java has no such option any more");
            } else {
                // A value stands behind options such as --add-opens, so they are repeated.
                if (!resolved.matches("-[DX].*") || !migration.files.javaOptions.contains(resolved)) {
                    migration.files.javaOptions.add(resolved);
                }
                property(resolved);
                tell(
                        file,
                        line,
                        what,
                        option,
                        Outcome.MAPPED,
                        "in " + PenstockFiles.JAVA_OPTIONS
                                + (conditional
                                        ? ", although the script sets it under a condition only: check it"
                                        : ""));
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
            migration.properties.put(name, value); // in Tomcat, the file overrides options of Java
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
                case "filter" -> filter(root, element, Contexts.all(apps));
                case "mime-mapping" -> {}
                case "welcome-file-list" -> welcomeFiles(element);
                case "security-constraint" -> constraint(element);
                default -> general(element, element.name(), element.text());
            }
        }
    }

    private void welcomeFiles(XmlElement list) {
        List<String> names =
                list.all("welcome-file").stream().map(XmlElement::text).toList();
        boolean usual = List.of("index.html", "index.htm", "index.jsp").containsAll(names);
        tell(
                list.file(),
                list.line(),
                "<welcome-file-list>",
                String.join(", ", names),
                usual ? Outcome.NOT_NEEDED : Outcome.NOT_POSSIBLE,
                usual
                        ? "index.html, index.htm and index.jsp are welcome files without any setting"
                        : "write the list into the override-web-xml of each application");
    }

    private void constraint(XmlElement constraint) {
        boolean onlyTls = constraint.all("auth-constraint").isEmpty()
                && constraint.all("user-data-constraint").stream()
                        .anyMatch(
                                element -> element.textOf("transport-guarantee").equals("CONFIDENTIAL"));
        if (onlyTls) {
            tell(
                    constraint.file(),
                    constraint.line(),
                    "<security-constraint>",
                    "CONFIDENTIAL",
                    Outcome.NOT_POSSIBLE,
                    "redirect-port = 8080 redirects all requests of that port to HTTPS; behind a proxy, let the proxy"
                            + " redirect");
        } else {
            tell(
                    constraint.file(),
                    constraint.line(),
                    "<security-constraint>",
                    constraint.text(),
                    Outcome.NOT_POSSIBLE,
                    "CLIENTS REACH THESE PATHS WITHOUT THIS RULE: write it into the override-web-xml of each application");
        }
    }

    /**
     * The contexts that have a filter.
     *
     * @param areAll whether each application has it
     */
    private record Contexts(List<String> locations, boolean areAll) {
        static Contexts all(List<App> apps) {
            return new Contexts(
                    apps.stream().flatMap(app -> app.locations.stream()).toList(), true);
        }

        /** The pattern for rules, which begins with the context path, for each context. */
        List<String> with(String pattern) {
            if (areAll && (locations.isEmpty() || pattern.equals(ANY_PATH))) {
                return List.of(pattern);
            }
            return locations.stream()
                    .map(location -> location.startsWith("//") ? location.replaceFirst("^//[^/]*", "") : location)
                    .map(path -> (path.equals("/") ? "" : path) + pattern)
                    .toList();
        }

        /** Whether one of these contexts has a host. Rules are for all hosts. */
        boolean haveHost() {
            return locations.stream().anyMatch(location -> location.startsWith("//"));
        }
    }

    private static List<XmlElement> mappings(XmlElement root, XmlElement filter) {
        return root.all("filter-mapping").stream()
                .filter(mapping -> mapping.textOf("filter-name").equals(filter.textOf("filter-name")))
                .toList();
    }

    /** The patterns of a filter for rules. Without a pattern that is a path, the filter counts for all paths. */
    private static List<String> patterns(XmlElement root, XmlElement filter, Contexts contexts) {
        List<String> paths = mappings(root, filter).stream()
                .flatMap(mapping -> mapping.all("url-pattern").stream())
                .map(XmlElement::text)
                .filter(pattern -> pattern.startsWith("/"))
                .map(pattern -> pattern.replace("%", "%25").replace(" ", "%20")) // rules have escapes as in a URL
                .toList();
        return (paths.isEmpty() ? List.of(ANY_PATH) : paths)
                .stream()
                        .flatMap(path -> contexts.with(path).stream())
                        .distinct()
                        .toList();
    }

    /** Adds lines of rules. Those for all applications come first, since the last one for a path wins. */
    private void rules(List<String> lines, Contexts contexts) {
        List<String> rules = migration.files.rules;
        rules.addAll(contexts.areAll ? rulesForAll : rules.size(), lines);
        rulesForAll += contexts.areAll ? lines.size() : 0;
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
        List<String> modes = config.all("tracking-mode").stream()
                .map(mode -> mode.text().toLowerCase(Locale.ROOT))
                .filter(mode -> !mode.equals("ssl"))
                .sorted()
                .toList();
        for (XmlElement child : config.children()) {
            switch (child.name()) {
                case "session-timeout" -> {
                    String minutes = child.text().matches("-?[0-9]+") ? child.text() : "30";
                    set(child, "session-timeout", Values.convert("minutes", minutes));
                }
                case "cookie-config" -> child.children().forEach(this::cookie);
                case "tracking-mode" -> {
                    if (child.text().equalsIgnoreCase("SSL")) {
                        String why = "sessions by TLS are not possible; session-tracking takes cookie and url";
                        tell(child.file(), child.line(), "<tracking-mode>", "SSL", Outcome.NOT_POSSIBLE, why);
                    } else {
                        set(child, "session-tracking", String.join(",", modes));
                    }
                }
                default -> general(child, child.name(), child.text());
            }
        }
    }

    /** What {@code cookie-config} says of the session cookie. */
    private void cookie(XmlElement element) {
        String text = element.text();
        switch (element.name()) {
            case "name", "path" -> set(element, "session-cookie-" + element.name(), text);
            case "domain" -> set(element, "session-cookie-domain", text.replaceFirst("^\\.", ""));
            case "http-only" -> set(element, "session-cookie-http-only", text.equals("false") ? "off" : "on");
            case "secure" -> set(element, "session-cookie-secure", text.equals("true") ? "on" : "auto");
            case "max-age" -> set(element, "session-cookie-max-age", text.startsWith("-") ? "0s" : text + "s");
            case "attribute" -> {
                if (element.textOf("attribute-name").equalsIgnoreCase("SameSite")) {
                    set(
                            element,
                            "session-cookie-same-site",
                            element.textOf("attribute-value").toLowerCase(Locale.ROOT));
                } else {
                    general(element, element.name(), element.textOf("attribute-name"));
                }
            }
            default -> general(element, element.name(), text);
        }
    }

    /** Sets a key of each application, and reports the parameter of a servlet. */
    private void forEach(List<App> apps, XmlElement parameter, String what, String key, String value) {
        List<String> problems = new ArrayList<>();
        for (App app : apps) {
            for (String location : app.locations) {
                String problem =
                        migration.files.set(location + ":" + key, value, parameter.file() + ":" + parameter.line());
                if (problem != null) {
                    problems.add(problem);
                }
            }
        }
        if (apps.isEmpty()) {
            problems.add("no application has it; set /context:" + key + " = " + value + " when there is one");
        }
        tell(
                parameter.file(),
                parameter.line(),
                what,
                parameter.textOf("param-value"),
                problems.isEmpty() ? Outcome.MAPPED : Outcome.NOT_POSSIBLE,
                problems.isEmpty() ? key + " = " + value + " for each application" : problems.get(0));
    }

    private void servlet(XmlElement servlet, List<App> apps) {
        String type = servlet.textOf("servlet-class");
        boolean jsp = type.equals("org.apache.jasper.servlet.JspServlet");
        if (!type.equals("org.apache.catalina.servlets.DefaultServlet")) {
            tell(
                    servlet.file(),
                    servlet.line(),
                    "<servlet> " + servlet.textOf("servlet-name"),
                    type,
                    jsp ? Outcome.NOT_NEEDED : Outcome.NOT_POSSIBLE,
                    jsp
                            ? "the server has JSPs; penstock.jsp.NAME sets an init parameter"
                            : "declare it in the override-web-xml of each application");
        }
        for (XmlElement parameter : servlet.all("init-param")) {
            String name = parameter.textOf("param-name");
            String value = parameter.textOf("param-value");
            if (jsp) {
                jspParameter(parameter, name, value, apps);
            } else if (type.equals("org.apache.catalina.servlets.DefaultServlet")) {
                defaultParameter(parameter, name, value, apps);
            }
        }
    }

    private void jspParameter(XmlElement parameter, String name, String value, List<App> apps) {
        String what = "JSP servlet " + name;
        if (name.equals("fork") || name.equals("xpoweredBy") && value.equals("false")) {
            tell(parameter.file(), parameter.line(), what, value, Outcome.NOT_NEEDED, "always so");
        } else {
            forEach(apps, parameter, what, "context-param.penstock.jsp." + name, value);
        }
    }

    private void defaultParameter(XmlElement parameter, String name, String value, List<App> apps) {
        String what = "default servlet " + name;
        boolean isOff = value.equals("false") || value.isBlank();
        if (name.equals("listings") && value.equals("true")) {
            forEach(apps, parameter, what, "directory-listing", "on");
        } else if (name.equals("fileEncoding")) {
            forEach(apps, parameter, what, "file-encoding", value);
        } else if ((name.equals("precompressed") || name.equals("gzip")) && !isOff) {
            if ("on".equals(migration.files.get("compression"))) {
                tell(
                        parameter.file(),
                        parameter.line(),
                        what,
                        value,
                        Outcome.MAPPED,
                        "compression = on, which sends such files, too");
            } else {
                forEach(apps, parameter, what, "compression", "precompressed");
            }
        } else {
            boolean usual = OF_DEFAULT_SERVLET.contains(name)
                    || isOff && !name.equals("readonly") && !name.equals("useAcceptRanges")
                    || value.equals("true") && (name.equals("readonly") || name.equals("useAcceptRanges"))
                    || name.equals("directoryRedirectStatusCode") && value.equals("302");
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

    /** Reports a filter of this descriptor. */
    private void filter(XmlElement root, XmlElement filter, Contexts contexts) {
        String type = filter.textOf("filter-class");
        String what = "<filter> " + filter.textOf("filter-name");
        Answer answer = type.startsWith(TOMCAT_FILTERS)
                ? migration.table.attribute("filter:" + TomcatTable.simple(type), TomcatTable.ITSELF)
                : null;
        if (type.equals(TOMCAT_FILTERS + "HttpHeaderSecurityFilter")) {
            security(filter, what, type, patterns(root, filter, contexts), contexts);
        } else if (type.equals(TOMCAT_FILTERS + "CorsFilter")) {
            cors(root, filter, what, type, contexts);
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

    private static Map<String, String> parameters(XmlElement filter) {
        Map<String, String> parameters = new LinkedHashMap<>();
        filter.all("init-param")
                .forEach(parameter -> parameters.put(parameter.textOf("param-name"), parameter.textOf("param-value")));
        return parameters;
    }

    private void cors(XmlElement root, XmlElement filter, String what, String type, Contexts contexts) {
        Map<String, String> parameters = parameters(filter);
        String origins = parameters.getOrDefault("cors.allowed.origins", "");
        if (origins.isBlank()) {
            tell(
                    filter.file(),
                    filter.line(),
                    what,
                    type,
                    Outcome.NOT_NEEDED,
                    "it allows no origin; Access-Control-Allow-Origin in the file of response-rules allows one");
            return;
        }
        if (mappings(root, filter).isEmpty()) {
            String why = "no filter-mapping has it, so it does nothing";
            tell(filter.file(), filter.line(), what, type, Outcome.NOT_NEEDED, why);
            return;
        }
        List<String> patterns = patterns(root, filter, contexts);
        String problem = corsProblem(mappings(root, filter), patterns, contexts);
        if (problem != null) {
            tell(filter.file(), filter.line(), what, type, Outcome.NOT_POSSIBLE, problem);
            return;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("Allow-Origin", origins);
        fields.put(
                "Allow-Methods",
                parameters.getOrDefault("cors.allowed.methods", "").replaceAll("\\b(GET|HEAD|POST|OPTIONS)\\b", ""));
        fields.put(
                "Allow-Headers",
                parameters.getOrDefault("cors.allowed.headers", "Accept, X-Requested-With, Content-Type"));
        fields.put("Expose-Headers", parameters.getOrDefault("cors.exposed.headers", ""));
        fields.put("Allow-Credentials", "true".equals(parameters.get("cors.support.credentials")) ? "true" : "");
        String age = parameters.getOrDefault("cors.preflight.maxage", "1800");
        fields.put("Max-Age", age.startsWith("-") ? "" : age);
        List<String> lines = new ArrayList<>();
        for (String pattern : patterns) {
            fields.forEach((field, value) -> {
                String list = value.replaceAll("[\\s,]+", ", ").replaceAll("^[, ]+|[, ]+$", "");
                if (!list.isEmpty()) {
                    lines.add(pattern + CORS_FIELD + field + ": " + list);
                }
            });
        }
        rules(lines, contexts);
        tell(
                filter.file(),
                filter.line(),
                what,
                type,
                Outcome.MAPPED,
                "lines Access-Control-Allow-Origin and others in response-rules; remove the filter from a web.xml of an"
                        + " application");
    }

    /** Why the rules of the server cannot do what the filter does; null if they can. */
    private @Nullable String corsProblem(List<XmlElement> mappings, List<String> patterns, Contexts contexts) {
        boolean isByPath = mappings.stream()
                .allMatch(mapping -> mapping.all("servlet-name").isEmpty()
                        && mapping.all("url-pattern").stream()
                                .allMatch(pattern -> pattern.text().startsWith("/")));
        if (!isByPath) {
            return "it is mapped to a servlet or an extension: write lines for its paths into response-rules";
        }
        if (contexts.haveHost() && !(contexts.areAll && patterns.equals(List.of(ANY_PATH)))) {
            return "response-rules are for all hosts: write the lines yourself, or use a filter of a library";
        }
        boolean twice = patterns.stream().anyMatch(pattern -> migration.files.rules.stream()
                .anyMatch(rule -> rule.startsWith(pattern + CORS_FIELD)));
        return twice ? "response-rules has such lines for this pattern already: merge them by hand" : null;
    }

    private void security(XmlElement filter, String what, String type, List<String> patterns, Contexts contexts) {
        Map<String, String> parameters = parameters(filter);
        List<String> lines = new ArrayList<>();
        if (!"false".equals(parameters.get("antiClickJackingEnabled"))) {
            lines.add("X-Frame-Options: " + parameters.getOrDefault("antiClickJackingOption", "DENY"));
        }
        if (!"false".equals(parameters.get("blockContentTypeSniffingEnabled"))) {
            lines.add("X-Content-Type-Options: nosniff");
        }
        rules(
                patterns.stream()
                        .flatMap(pattern -> lines.stream().map(line -> pattern + " " + line))
                        .toList(),
                contexts);
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
        for (XmlElement element : root.children()) {
            String type = element.textOf(element.name() + "-class");
            if (!type.startsWith("org.apache.catalina.")) {
                continue;
            }
            if (element.name().equals("filter") && type.startsWith(TOMCAT_FILTERS)) {
                filter(root, element, new Contexts(List.of(location), false));
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
