package io.penstock.migrate;

import io.penstock.migrate.Report.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps a {@code Context}: of {@code server.xml}, {@code context.xml} or an application. Thread: one. */
final class ContextXml {
    private static final Map<String, String> ISOLATIONS = Map.of(
            "READ_UNCOMMITTED", "read-uncommitted",
            "READ_COMMITTED", "read-committed",
            "REPEATABLE_READ", "repeatable-read",
            "SERIALIZABLE", "serializable");

    /** The factory of Tomcat's own pool, and the connections that its pools have if their resource does not say so. */
    private static final String JDBC_POOL = "org.apache.tomcat.jdbc.pool.DataSourceFactory";

    private static final String DEFAULT_OF_JDBC_POOL = "100";

    /** The addresses of databases in the memory or the files of the process that opens them, which one class loader has for itself. */
    private static final Pattern EMBEDDED =
            Pattern.compile("(?i)jdbc:(h2:(?!tcp:|ssl:)|hsqldb:(?!hsqls?:|https?:)|derby:(?!//)).*");

    private static final Pattern SHARED = Pattern.compile("(?i).*AUTO_SERVER=TRUE.*");

    private final Migration migration;

    /** The names of the data sources of {@code GlobalNamingResources} here, by their names in Tomcat. */
    final Map<String, String> globalDataSources = new HashMap<>();

    /** The files of users, by the names of their resources; empty if a database has the users. */
    final Map<String, String> userDatabases = new HashMap<>();

    private final Map<String, Entry> globalEntries = new HashMap<>();

    /** Whether an application may reach others by {@code ServletContext.getContext}, as {@code crossContext} says. */
    private boolean crossContext;

    ContextXml(Migration migration) {
        this.migration = migration;
    }

    boolean isCrossContext() {
        return crossContext;
    }

    /** Maps the element for these applications. */
    void read(XmlElement context, List<App> apps) {
        Settings settings = new Settings(migration, context);
        if (settings.is("crossContext")) {
            crossContext = true;
            settings.mapped("crossContext", "cross-context = allow, for all applications");
        }
        if (apps.isEmpty()) {
            settings.notPossible(
                    "docBase",
                    "no such file or folder: write /context=APP into the file " + PenstockFiles.ARGUMENTS
                            + " when there is one");
            settings.notPossible(
                    "path",
                    settings.value("docBase") == null
                            ? "the appBase has no such application"
                            : Settings.AS_ITS_ELEMENT);
        }
        settings.mapped("path", "the context of the application");
        settings.mapped("docBase", "the content of the application");
        cookies(settings, apps);
        String filter = settings.value("containerSciFilter");
        if (filter != null) {
            settings.notPossible(
                    "containerSciFilter",
                    "exclude-initializers takes names with *, not regular expressions; write the names for '" + filter
                            + "'");
        }
        if (settings.value("useRelativeRedirects") != null) {
            settings.set(
                    "useRelativeRedirects", "redirects", settings.is("useRelativeRedirects") ? "relative" : "absolute");
        }
        String timeout = settings.value("sessionTimeout");
        if (timeout != null) {
            setOrTell(settings, "sessionTimeout", apps, "session-timeout", "minutes", timeout);
        }
        settings.rest(apps);
        context.children().forEach(child -> child(child, apps));
    }

    private static void cookies(Settings settings, List<App> apps) {
        String domain = settings.value("sessionCookieDomain");
        if (domain != null) {
            settings.set("sessionCookieDomain", apps, "session-cookie-domain", domain.replaceFirst("^\\.", ""));
        }
        onOff(settings, "useHttpOnly", apps, "session-cookie-http-only", true);
        onOff(settings, "usePartitioned", apps, "session-cookie-partitioned", false);
        if ("false".equals(settings.value("cookies"))) {
            settings.set("cookies", apps, "session-tracking", "url");
        } else {
            settings.notNeeded("cookies", "the default");
        }
    }

    /** Sets a key if the attribute differs from its default. Without the attribute, nothing is said. */
    private static void onOff(Settings settings, String attribute, List<App> apps, String key, boolean byDefault) {
        String value = settings.value(attribute);
        if (value == null) {
            return;
        }
        boolean isOn = Boolean.parseBoolean(value);
        if (isOn == byDefault) {
            settings.notNeeded(attribute, "the default");
        } else {
            settings.set(attribute, apps, key, isOn ? "on" : "off");
        }
    }

    private void child(XmlElement element, List<App> apps) {
        Settings settings = new Settings(migration, element);
        if (!settings.isForCode()) {
            migration.leaf(element, apps);
            return;
        }
        switch (settings.kind.replaceFirst(":.*", "")) {
            case "Parameter" -> {
                String name = settings.value("name", "");
                if (settings.isUnresolved("value")) {
                    settings.notPossible("value", missing(settings, "value", "context-param." + name));
                } else {
                    settings.set("value", apps, "context-param." + name, settings.value("value", ""));
                }
            }
            case "Environment" -> entry(settings, apps);
            case "Resource" -> resource(settings, apps);
            case "ResourceLink" -> link(settings, apps);
            case "Manager" -> manager(settings, apps);
            case "CookieProcessor" -> {
                String sameSite = settings.value("sameSiteCookies");
                if (sameSite != null) {
                    String word = sameSite.toLowerCase(Locale.ROOT);
                    if (word.equals("unset")) {
                        settings.notNeeded("sameSiteCookies", "the default");
                    } else {
                        settings.set("sameSiteCookies", apps, "session-cookie-same-site", word);
                    }
                }
                onOff(settings, "partitioned", apps, "session-cookie-partitioned", false);
            }
            case "PreResources", "PostResources", "JarResources" -> resources(settings, apps);
            case "JarScanner" -> {
                settings.rest(apps);
                element.children().forEach(filter -> jarFilter(filter, apps));
                return;
            }
            case "Valve" -> valve(settings, apps);
            case "Realm" -> {
                new Realms(migration, this).read(element);
                return;
            }
            default -> {}
        }
        settings.rest(apps);
        element.children().forEach(child -> child(child, apps));
    }

    private void jarFilter(XmlElement element, List<App> apps) {
        Settings settings = new Settings(migration, element);
        String skip = settings.value("pluggabilitySkip");
        if (skip != null) {
            settings.set("pluggabilitySkip", apps, "exclude-scan", skip.strip().replaceAll("[,\\s]+", ","));
        }
        settings.rest(apps);
        element.children().forEach(child -> migration.leaf(child, apps));
    }

    /** The valves that an application can have for itself. The others are for the whole server. */
    private void valve(Settings settings, List<App> apps) {
        switch (settings.kind) {
            case "Valve:SemaphoreValve" -> {
                setOrTell(settings, "concurrency", apps, "max-workers", "workers", settings.value("concurrency", "10"));
                if ("false".equals(settings.value("block"))) {
                    settings.set("block", apps, "max-queued", "0");
                }
            }
            case "Valve:RemoteAddrValve", "Valve:RemoteCIDRValve" -> settings.addresses(apps);
            case "Valve:RemoteHostValve" ->
                settings.giveUp(
                        Outcome.NOT_POSSIBLE,
                        "EVERY CLIENT REACHES THE APPLICATION: names of clients are not looked up; set their addresses"
                                + " by /context:allowed-addresses");
            case "Valve:AccessLogValve", "Valve:ExtendedAccessLogValve", "Valve:JsonAccessLogValve" ->
                new AccessLogValve(migration).ofApplications(settings, apps);
            case "Valve:RemoteIpValve" ->
                settings.giveUp(Outcome.NOT_POSSIBLE, "trusted-proxies is for the whole server; set it there");
            case "Valve:StuckThreadDetectionValve" ->
                settings.giveUp(
                        Outcome.NOT_POSSIBLE,
                        "the flow board and --dump show how long each worker has run; service-timeout ends requests of"
                                + " the whole server that take longer");
            default -> {}
        }
    }

    private static void setOrTell(
            Settings settings, String attribute, List<App> apps, String key, String type, String value) {
        try {
            settings.set(attribute, apps, key, Values.convert(type, value));
        } catch (IllegalArgumentException e) {
            settings.notPossible(attribute, key + ": " + e.getMessage());
        }
    }

    private static void manager(Settings settings, List<App> apps) {
        String most = settings.value("maxActiveSessions");
        if ("-1".equals(most)) {
            settings.notPossible("maxActiveSessions", "max-sessions is always a limit, by default 100000");
        } else if (most != null) {
            settings.set("maxActiveSessions", "max-sessions", most);
        }
        String pathname = settings.value("pathname");
        if (pathname != null && !pathname.isBlank()) {
            settings.notPossible(
                    "pathname", "set session-dir to an existing folder: it has the sessions of all applications");
        } else if (pathname != null) {
            settings.notNeeded("pathname", "without a session-dir, sessions end with the server");
        }
        String idle = settings.value("maxInactiveInterval");
        if (idle != null) {
            setOrTell(settings, "maxInactiveInterval", apps, "session-timeout", "wholeminutes", idle);
        }
        for (XmlElement child : settings.element.children()) {
            if (TomcatTable.kind(child).equals("Store:FileStore")) {
                settings.tellElement(
                        Outcome.MAPPED, "set session-dir to an existing folder: sessions then survive a restart");
            }
        }
    }

    private String missing(Settings settings, String attribute, String key) {
        return migration.missing(settings.element.attributes().get(attribute)) + ": /context:" + key;
    }

    private void entry(Settings settings, List<App> apps) {
        String name = settings.value("name", "");
        if (settings.isUnresolved("value")) {
            settings.notPossible("value", missing(settings, "value", "env." + name));
            return;
        }
        entry(settings, "value", apps, name, Entry.of(settings));
        settings.mapped("name", "the entry " + name);
    }

    /** Sets the keys of an entry. The attribute is the one that the row of the value is for. */
    private void entry(Settings settings, String attribute, List<App> apps, String name, Entry entry) {
        // An application with an entry of its own keeps the type of that entry, too.
        List<App> without = apps.stream()
                .filter(app -> !migration.files.has(app.location() + ":env." + name))
                .toList();
        settings.set(attribute, apps, "env." + name, entry.value());
        if (!entry.type().equals("java.lang.String") && (apps.isEmpty() || !without.isEmpty())) {
            settings.set("type", without, "env-type." + name, entry.type());
        }
    }

    /** An {@code Environment}. */
    private record Entry(String type, String value) {
        static Entry of(Settings settings) {
            return new Entry(settings.value("type", "java.lang.String"), settings.value("value", ""));
        }
    }

    /** A set of resources of an application. A folder at {@code /WEB-INF/lib} has libraries. */
    private static void resources(Settings settings, List<App> apps) {
        String base = settings.value("base", "");
        String mount = settings.value("webAppMount", "/").replaceFirst("/+$", "");
        String inside = settings.value("internalPath", "/");
        boolean isFolder = TomcatTable.simple(settings.value("className", "")).equals("DirResourceSet");
        if (!isFolder || !mount.equals("/WEB-INF/lib") || !inside.matches("/?") || base.isEmpty()) {
            settings.giveUp(
                    Outcome.NOT_POSSIBLE,
                    "only a folder of libraries at /WEB-INF/lib has a key, /context:libraries; serve another folder as an"
                            + " application of its own, or put its files into the application");
            return;
        }
        settings.set("base", apps, "libraries", settings.file(base));
        settings.mapped("webAppMount", "libraries");
    }

    private static void reference(List<App> apps, String name, String type, String global) {
        String xml = "  <resource-ref>\n    <res-ref-name>" + App.xml(name) + "</res-ref-name>\n    <res-type>"
                + App.xml(type) + "</res-type>\n    <lookup-name>java:global/" + App.xml(global)
                + "</lookup-name>\n  </resource-ref>\n";
        apps.forEach(app -> app.override.putIfAbsent("resource-ref " + name, xml));
    }

    private void link(Settings settings, List<App> apps) {
        String name = settings.value("name", "");
        String global = settings.value("global", name);
        String source = globalDataSources.get(global);
        Entry entry = globalEntries.get(global);
        if (source != null) {
            reference(apps, name, settings.value("type", "javax.sql.DataSource"), source);
            settings.tellElement(
                    Outcome.MAPPED, "resource-ref " + name + " in the override, for java:global/" + source);
        } else if (entry != null) {
            entry(settings, "global", apps, name, entry);
            settings.tellElement(Outcome.MAPPED, "env." + name + " of the application");
        } else {
            settings.giveUp(
                    Outcome.NOT_POSSIBLE,
                    "GlobalNamingResources has no data source or entry '" + global + "' that can be bound");
        }
    }

    private void resource(Settings settings, List<App> apps) {
        if (settings.kind.equals("Resource:UserDatabase")) {
            return;
        }
        String actual = dataSource(settings);
        if (actual != null) {
            String name = settings.value("name", "");
            reference(apps, name, settings.value("type", "javax.sql.DataSource"), actual);
        }
    }

    /** Maps the children of {@code GlobalNamingResources}. */
    void globals(XmlElement resources) {
        for (XmlElement element : resources.children()) {
            Settings settings = new Settings(migration, element);
            String name = settings.value("name", "");
            if (settings.isForCode() && element.name().equals("Environment")) {
                globalEntries.put(name, Entry.of(settings));
                settings.tellElement(Outcome.MAPPED, "for each ResourceLink with its name");
            } else if (settings.kind.equals("Resource:UserDatabase")) {
                // Without a file, the users are those of a database.
                userDatabases.put(
                        name,
                        settings.value("dataSourceName") == null
                                ? settings.value("pathname", "conf/tomcat-users.xml")
                                : "");
            } else if (settings.isForCode() && element.name().equals("Resource")) {
                tellEmbedded(settings);
                String actual = dataSource(settings);
                if (actual != null) {
                    globalDataSources.put(name, actual);
                }
            }
            settings.rest(List.of());
            element.children().forEach(child -> migration.leaf(child, List.of()));
        }
    }

    /** Tomcat has one driver for all users of a global data source, so that they share an embedded database. */
    private static void tellEmbedded(Settings settings) {
        String url = settings.value("url", "");
        if (EMBEDDED.matcher(url).matches() && !SHARED.matcher(url).matches()) {
            settings.notPossible(
                    "url",
                    "the url is set, but each application and the realm have a driver of their own, and open the"
                            + " database for themselves: several need ;AUTO_SERVER=TRUE in the url (a file of H2), or"
                            + " the server of the database");
        }
    }

    /** Makes a data source of a resource. Returns its name; null if it has neither a URL nor a class. */
    @Nullable
    String dataSource(Settings settings) {
        Map<String, String> keys = new LinkedHashMap<>();
        String factory = settings.value("factory", "");
        copy(settings, keys, "url", "url", "jdbcUrl");
        if (!keys.containsKey("url")) {
            boolean isWritten = settings.isUnresolved("url") || settings.isUnresolved("jdbcUrl");
            settings.giveUp(
                    Outcome.NOT_POSSIBLE,
                    (isWritten
                                    ? "a ${name} in the url has no value in catalina.properties and setenv.sh"
                                    : "the data source has no url"
                                            + (factory.isEmpty() ? "" : " (factory " + factory + ")"))
                            + ": write its lines into a file of data-sources, as docs/configuration.md says");
            return null;
        }
        String driver = settings.value("driverClassName");
        String jars = driver(keys, driver == null ? settings.value("dataSourceClassName") : driver);
        settings.mapped("driverClassName", jars);
        settings.mapped("dataSourceClassName", jars);
        copy(settings, keys, "user", "username", "user", "dataSource.user");
        copy(settings, keys, "password", "password", "dataSource.password");
        copyNumber(settings, keys, "max-connections", "maxTotal", "maxActive", "maximumPoolSize");
        copyNumber(settings, keys, "min-connections", "minIdle", "minimumIdle");
        copySeconds(settings, keys, "connection-timeout", "maxWaitMillis", "maxWait", "connectionTimeout");
        copySeconds(
                settings,
                keys,
                "max-idle-time",
                "minEvictableIdleTimeMillis",
                "softMinEvictableIdleTimeMillis",
                "idleTimeout");
        if (factory.equals(JDBC_POOL)) {
            keys.putIfAbsent("max-connections", DEFAULT_OF_JDBC_POOL);
        }
        for (String attribute : settings.element.attributes().keySet()) {
            String value = settings.value(attribute);
            if (value != null && attribute.matches("dataSource\\.(?!user$|password$).+")) {
                String property = "property." + attribute.substring("dataSource.".length());
                keys.put(property, value);
                settings.mapped(attribute, property);
            }
        }
        String isolation = settings.value("defaultTransactionIsolation");
        String here = isolation == null ? null : ISOLATIONS.get(isolation.toUpperCase(Locale.ROOT));
        if (here != null) {
            keys.put("isolation", here);
            settings.mapped("defaultTransactionIsolation", "isolation = " + here);
        }
        for (String property : settings.value("connectionProperties", "").split(";")) {
            int equals = property.indexOf('=');
            if (equals > 0) {
                keys.put(
                        "property." + property.substring(0, equals).strip(),
                        property.substring(equals + 1).strip());
                settings.mapped("connectionProperties", "property.NAME for each");
            }
        }
        String wanted = settings.value("name", "");
        String name = migration.files.dataSource(wanted, keys);
        settings.mapped(
                "name",
                name.equals(wanted) ? "the name " + name : "the name " + name + ", since another one has its name");
        return name;
    }

    /**
     * Adds the driver, with the jars in Tomcat's folder {@code lib} that have it.
     *
     * @return what to say of the driver
     */
    String driver(Map<String, String> keys, @Nullable String driver) {
        if (driver != null) {
            keys.put("class", driver);
        }
        List<Path> jars = jarsOf(driver);
        if (jars.isEmpty()) {
            return "class; no jar in Tomcat's lib has it: set jars, unless the application or penstock.jar (PostgreSQL)"
                    + " has the driver";
        }
        keys.put("jars", jars.stream().map(Path::toString).collect(Collectors.joining(java.io.File.pathSeparator)));
        return "class, with jars";
    }

    private static void copy(Settings settings, Map<String, String> keys, String key, String... attributes) {
        for (String attribute : attributes) {
            String value = settings.value(attribute);
            if (value != null && keys.putIfAbsent(key, value) == null) {
                settings.mapped(attribute, key);
            }
        }
    }

    private static void copyNumber(Settings settings, Map<String, String> keys, String key, String... attributes) {
        convert(settings, keys, key, "number", attributes);
    }

    private static void copySeconds(Settings settings, Map<String, String> keys, String key, String... attributes) {
        convert(settings, keys, key, "seconds", attributes);
    }

    private static void convert(
            Settings settings, Map<String, String> keys, String key, String type, String... attributes) {
        for (String attribute : attributes) {
            String value = settings.value(attribute);
            if (value == null) {
                continue;
            }
            try {
                String converted = type.equals("seconds") ? Values.seconds(value) : Values.convert(type, value);
                if (converted.equals("0") && key.equals("max-connections")) {
                    throw new IllegalArgumentException("there is always a limit");
                }
                keys.put(key, converted);
                settings.mapped(attribute, key + " = " + converted);
            } catch (IllegalArgumentException e) {
                settings.notPossible(attribute, key + ": " + e.getMessage());
            }
        }
    }

    /** The jars in Tomcat's folder {@code lib} that have the driver; without the name of a class, those that have any driver. */
    private List<Path> jarsOf(@Nullable String driver) {
        String entry = driver == null ? "META-INF/services/java.sql.Driver" : driver.replace('.', '/') + ".class";
        List<Path> found = new ArrayList<>();
        for (String property : List.of("catalina.base", "catalina.home")) {
            Path lib = Path.of(migration.properties.getOrDefault(property, "")).resolve("lib");
            if (!found.isEmpty() || !Files.isDirectory(lib)) {
                continue;
            }
            try (Stream<Path> jars = Files.list(lib)) {
                jars.filter(jar -> jar.toString().endsWith(".jar") && has(jar, entry))
                        .sorted()
                        .forEach(found::add);
            } catch (IOException e) {
                migration.report.add(new Report.Row(
                        migration.shown(lib),
                        0,
                        "the folder",
                        "",
                        Outcome.UNKNOWN,
                        "cannot be read: " + e.getMessage()));
            }
        }
        return found;
    }

    private boolean has(Path jar, String entry) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getEntry(entry) != null;
        } catch (IOException e) {
            migration.report.add(new Report.Row(
                    migration.shown(jar), 0, "the jar", "", Outcome.UNKNOWN, "cannot be read: " + e.getMessage()));
            return false;
        }
    }
}
