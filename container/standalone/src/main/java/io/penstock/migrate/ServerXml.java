package io.penstock.migrate;

import io.penstock.address.ContextLocation;
import io.penstock.migrate.Report.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Maps {@code server.xml}: connectors, hosts, realms and valves of the server, and finds the applications. Thread: one. */
final class ServerXml {
    /** The proxies that RemoteIpValve trusts if it names none. */
    private static final String PRIVATE_NETWORKS =
            "10.0.0.0/8,192.168.0.0/16,169.254.0.0/16,127.0.0.0/8,100.64.0.0/10,172.16.0.0/12,::1,fe80::/10,fc00::/7";

    private static final List<String> APPLICATIONS_OF_TOMCAT = List.of("manager", "host-manager");
    private static final String OF_TOMCAT =
            "an application of Tomcat: the admin port has the flow board, and the folder webapps deploys";
    private static final String CONTEXT_XML = "META-INF/context.xml";
    private static final String WAR = ".war";
    private static final String ERROR_PAGES = "error-pages";
    private static final int LARGEST_PAGE = 64 << 10;

    private final Migration migration;
    private final PenstockFiles files;
    private final ContextXml contexts;
    private final Tls tls;
    private final Map<String, XmlElement> executors = new LinkedHashMap<>();
    private final List<String> listeners = new ArrayList<>();

    /** The contexts to map when all applications are known: the element of each with its application. */
    private final List<Map.Entry<XmlElement, List<App>>> found = new ArrayList<>();

    private int portOffset;
    private String engine = "Catalina";

    ServerXml(Migration migration, ContextXml contexts) {
        this.migration = migration;
        this.contexts = contexts;
        files = migration.files;
        tls = new Tls(migration);
    }

    void read(XmlElement server) throws IOException {
        Settings settings = new Settings(migration, server);
        portOffset = number(settings, "portOffset", 0);
        settings.rest(List.of());
        for (XmlElement element : server.all("GlobalNamingResources")) {
            new Settings(migration, element).rest(List.of());
            contexts.globals(element);
        }
        int services = 0;
        for (XmlElement element : server.children()) {
            switch (element.name()) {
                case "GlobalNamingResources" -> {}
                case "Service" -> {
                    services++;
                    if (services == 1) {
                        service(element);
                    } else {
                        furtherService(element);
                    }
                }
                default -> migration.leaf(element, List.of());
            }
        }
        tls.finish();
        listen();
    }

    private static int number(Settings settings, String attribute, int otherwise) {
        String value = settings.value(attribute);
        return value != null && value.matches("-?[0-9]{1,6}") ? Integer.parseInt(value) : otherwise;
    }

    /** A further service has ports and applications of its own. Here all listeners have the same applications. */
    private void furtherService(XmlElement service) {
        new Settings(migration, service)
                .giveUp(
                        Outcome.NOT_POSSIBLE,
                        "all listeners of a server have the same applications: write this Service into a server.xml"
                                + " of its own, migrate it, and start a second server");
        service.children().forEach(child -> migration.inside(child, Outcome.NOT_POSSIBLE));
    }

    private void service(XmlElement service) throws IOException {
        new Settings(migration, service).rest(List.of());
        for (XmlElement executor : service.all("Executor")) {
            Settings settings = new Settings(migration, executor);
            executors.put(settings.value("name", ""), executor);
            if (settings.kind.equals("Executor:StandardVirtualThreadExecutor")) {
                files.set("virtual-threads", "on", settings.where());
            }
            settings.rest(List.of());
        }
        boolean onlyAjp = service.all("Connector").stream().allMatch(ServerXml::isAjp);
        for (XmlElement element : service.children()) {
            switch (element.name()) {
                case "Connector" -> connector(element, onlyAjp);
                case "Engine" -> engine(element);
                case "Executor" -> {}
                default -> migration.leaf(element, List.of());
            }
        }
    }

    // --- connectors

    private static boolean isAjp(XmlElement connector) {
        return connector.get("protocol", "").toLowerCase(Locale.ROOT).contains("ajp");
    }

    /** @param onlyAjp whether the server has connectors for AJP only */
    private void ajp(Settings settings, boolean onlyAjp) {
        String text = "there is no AJP: let the proxy speak HTTP (mod_proxy_http), and name it in trusted-proxies, as"
                + " docs/production.md says";
        int port = number(settings, "port", -1);
        if (onlyAjp && port >= 0) {
            settings.tellElement(
                    Outcome.NOT_POSSIBLE,
                    text
                            + ". The server speaks HTTP at this port, WITHOUT A SECRET: set allowed-addresses to the proxy, unless"
                            + " the address is 127.0.0.1");
            address(settings, port, false, "127.0.0.1");
        } else if (onlyAjp) {
            settings.tellElement(
                    Outcome.NOT_POSSIBLE,
                    text + ". The port is no number: set host and port, since otherwise the server listens at port 8080"
                            + " of all addresses");
        }
        if ("false".equals(settings.value("tomcatAuthentication"))) {
            settings.notPossible(
                    "tomcatAuthentication",
                    "the server takes no user from a proxy: users log in here, or a filter of the application reads a"
                            + " field that the proxy sets");
        }
        settings.giveUp(Outcome.NOT_POSSIBLE, text);
        settings.element.children().forEach(child -> migration.inside(child, Outcome.NOT_POSSIBLE));
    }

    private void connector(XmlElement element, boolean onlyAjp) {
        Settings settings = new Settings(migration, element);
        if (isAjp(element)) {
            ajp(settings, onlyAjp);
            return;
        }
        int port = number(settings, "port", -1);
        if (settings.value("port", "-1").startsWith("-")
                && !settings.isUnresolved("port")
                && !settings.isUnresolved("unixDomainSocketPath")
                && settings.value("unixDomainSocketPath") == null) {
            settings.giveUp(Outcome.NOT_NEEDED, "a connector without a port listens nowhere");
            element.children().forEach(child -> migration.inside(child, Outcome.NOT_NEEDED));
            return;
        }
        boolean secure = settings.is("SSLEnabled");
        settings.notNeeded("protocol", "HTTP/1.1 is always there; HTTP/2 by http2 and h2c");
        address(settings, port, secure, "");
        scheme(settings, secure);
        executor(settings);
        limits(settings);
        compression(settings);
        if (secure) {
            tls.connector(settings);
        } else {
            element.all("SSLHostConfig").forEach(child -> migration.inside(child, Outcome.NOT_NEEDED));
        }
        for (XmlElement child : element.children()) {
            if (child.name().equals("UpgradeProtocol")) {
                Settings upgrade = new Settings(migration, child);
                if (upgrade.isForCode()) {
                    upgrade.set("", secure ? "http2" : "h2c", "on");
                }
                upgrade.rest(List.of());
            } else if (!child.name().equals("SSLHostConfig")) {
                migration.leaf(child, List.of());
            }
        }
        settings.rest(List.of());
    }

    /** @param byDefault the address if the connector has none; empty for all addresses */
    private void address(Settings settings, int port, boolean secure, String byDefault) {
        String unix = settings.value("unixDomainSocketPath");
        if (unix != null) {
            String mode = "";
            String permissions = settings.value("unixDomainSocketPathPermissions");
            if (permissions != null && permissions.matches("([r-][w-][x-]){3}")) {
                int bits = 0;
                for (int i = 0; i < permissions.length(); i++) {
                    bits = bits << 1 | (permissions.charAt(i) == '-' ? 0 : 1);
                }
                mode = "?mode=" + String.format(Locale.ROOT, "%03o", bits);
            }
            String url = "unix:" + migration.path(unix) + mode;
            listeners.add(url);
            settings.mapped("unixDomainSocketPath", "listen = " + url);
            return;
        }
        if (port < 0) {
            String written = settings.element.get("port", "");
            settings.notPossible(
                    "port",
                    (settings.isUnresolved("port") ? migration.missing(written) : "'" + written + "' is no number")
                            + "; set port, since otherwise it is 8080");
            settings.notPossible("address", Settings.AS_ITS_ELEMENT);
            return;
        }
        boolean unknown = settings.isUnresolved("address");
        if (unknown) {
            settings.notPossible(
                    "address",
                    migration.missing(settings.element.get("address", ""))
                            + ": set it in the listener; until then the server listens at 127.0.0.1 only");
        }
        String address = unknown ? "127.0.0.1" : settings.value("address", byDefault);
        String host = address.contains(":") && !address.startsWith("[") ? "[" + address + "]" : address;
        String url = (secure ? "https://" : "http://") + host + ":" + (port == 0 ? 0 : port + portOffset);
        listeners.add(url);
        settings.mapped("port", "the listener " + url);
        if (!unknown) {
            settings.mapped("address", "the listener " + url);
        }
    }

    private void listen() {
        if (listeners.size() == 1 && listeners.get(0).matches("https?://[^:\\[]*:[0-9]+")) {
            String listener = listeners.get(0);
            int colon = listener.lastIndexOf(':');
            String host = listener.substring(listener.indexOf("//") + 2, colon);
            files.set("port", listener.substring(colon + 1), "the connector");
            if (!host.isEmpty()) {
                files.set("host", host, "the connector");
            }
        } else if (!listeners.isEmpty()) {
            files.set("listen", String.join(",", listeners), "the connectors");
        }
    }

    private static void scheme(Settings settings, boolean secure) {
        boolean https = settings.value("scheme", "http").equals("https");
        boolean says = https || settings.is("secure");
        String text = says == secure
                ? "as the listener"
                : "behind a proxy with TLS, name it in trusted-proxies, and let it send X-Forwarded-Proto";
        Outcome outcome = says == secure ? Outcome.NOT_NEEDED : Outcome.NOT_POSSIBLE;
        settings.tell("scheme", outcome, text);
        settings.tell("secure", outcome, text);
    }

    private void executor(Settings settings) {
        String name = settings.value("executor");
        if (name != null && executors.containsKey(name)) {
            settings.mapped("executor", "the workers of the server, as the Executor says");
            for (String attribute : List.of("maxThreads", "minSpareThreads", "maxQueueSize")) {
                settings.notNeeded(attribute, "the Executor has it");
            }
        }
    }

    private void limits(Settings settings) {
        convert(settings, "maxConnections", "number", "max-connections");
        if (files.has("max-connections")) {
            files.set("max-connections-policy", "wait", settings.where());
        }
        List<String> timeouts = new ArrayList<>(List.of("head-timeout"));
        if (!"false".equals(settings.value("disableUploadTimeout"))) {
            settings.notNeeded("connectionUploadTimeout", "Tomcat uses it only with disableUploadTimeout=\"false\"");
            timeouts.add("body-stall-timeout");
        } else if (settings.value("connectionUploadTimeout") == null) {
            files.set("body-stall-timeout", "300s", settings.where()); // Tomcat's default
        } else {
            convert(settings, "connectionUploadTimeout", "ms", "body-stall-timeout");
        }
        if (settings.value("keepAliveTimeout") == null) {
            timeouts.add("keep-alive-timeout");
        }
        convert(settings, "connectionTimeout", "ms", timeouts.toArray(String[]::new));
        convert(settings, "maxHttpRequestHeaderSize", "bytes", "header-bytes-limit", "request-line-limit");
        if (settings.value("maxHttpRequestHeaderSize") == null) {
            convert(settings, "maxHttpHeaderSize", "bytes", "header-bytes-limit", "request-line-limit");
        }
        String server = settings.value("server");
        if (server != null && !server.isBlank()) {
            files.rules.add("/* Server: " + server.strip());
            settings.mapped("server", "/* Server: " + server.strip() + " in the file of response-rules");
        }
    }

    /** Sets several keys to the value of one attribute. */
    private void convert(Settings settings, String attribute, String type, String... keys) {
        String value = settings.value(attribute);
        if (value == null) {
            return;
        }
        List<String> set = new ArrayList<>();
        try {
            String converted = Values.convert(type, value);
            for (String key : keys) {
                String problem = files.set(key, converted, settings.where());
                if (problem != null) {
                    throw new IllegalArgumentException(problem);
                }
                set.add(key + " = " + converted);
            }
            settings.mapped(attribute, String.join(", ", set));
        } catch (IllegalArgumentException e) {
            settings.notPossible(attribute, keys[0] + ": " + e.getMessage());
        }
    }

    private void compression(Settings settings) {
        String value = settings.value("compression");
        if (value == null) {
            return;
        }
        if (value.equals("off")) {
            settings.set("compression", "compression", "off");
        } else {
            if (value.matches("[0-9]+")) {
                files.set("compression-min-size", value, settings.where());
            }
            settings.set("compression", "compression", "on");
        }
    }

    // --- engine and hosts

    private void engine(XmlElement element) throws IOException {
        Settings settings = new Settings(migration, element);
        engine = settings.value("name", engine);
        String route = settings.value("jvmRoute");
        if (route != null) {
            settings.set("jvmRoute", "node-name", route);
            files.set("session-route", "on", settings.where());
        }
        settings.rest(List.of());
        List<XmlElement> hosts = element.all("Host");
        String defaultHost = settings.value("defaultHost", "localhost");
        for (XmlElement child : element.children()) {
            if (child.name().equals("Host")) {
                Settings host = new Settings(migration, child);
                host(host, hosts.size() == 1 || host.value("name", "").equalsIgnoreCase(defaultHost));
            } else {
                ofServer(child);
            }
        }
    }

    /** Maps an element of the engine or a host. What it says is for the whole server. */
    private void ofServer(XmlElement element) {
        Settings settings = new Settings(migration, element);
        if (!settings.isForCode()) {
            migration.leaf(element, List.of());
            return;
        }
        switch (settings.kind) {
            case "Valve:RemoteIpValve" -> remoteIp(settings);
            case "Valve:RemoteAddrValve", "Valve:RemoteCIDRValve" -> settings.addresses(null);
            case "Valve:RemoteHostValve" ->
                settings.giveUp(
                        Outcome.NOT_POSSIBLE,
                        "EVERY CLIENT REACHES THE SERVER: names of clients are not looked up; set their addresses by"
                                + " allowed-addresses");
            case "Valve:AccessLogValve", "Valve:ExtendedAccessLogValve", "Valve:JsonAccessLogValve" ->
                new AccessLogValve(migration).ofServer(settings);
            case "Valve:ErrorReportValve", "Valve:JsonErrorReportValve", "Valve:ProxyErrorReportValve" ->
                errorPages(settings);
            case "Valve:SemaphoreValve" ->
                settings.giveUp(
                        Outcome.NOT_POSSIBLE,
                        "max-workers is for an application or a path: /shop:max-workers = 10; workers bounds all");
            default -> {
                if (element.name().equals("Realm")) {
                    new Realms(migration, contexts).read(element);
                    return;
                }
            }
        }
        settings.rest(List.of());
        element.children().forEach(child -> migration.leaf(child, List.of()));
    }

    private void remoteIp(Settings settings) {
        List<String> networks = new ArrayList<>();
        String field = settings.value("remoteIpHeader", "X-Forwarded-For");
        boolean isTrusted = field.equalsIgnoreCase("X-Forwarded-For") && !settings.isUnresolved("remoteIpHeader");
        if (isTrusted) {
            settings.notNeeded("remoteIpHeader", "forwarded-fields = x-forwarded, the default");
        } else {
            settings.notPossible(
                    "remoteIpHeader",
                    "trusted-proxies is not set, since clients can send X-Forwarded-For themselves: let the proxy set"
                            + " this field in place of " + field + ", and then set trusted-proxies");
        }
        // As in Tomcat, private networks are trusted unless internalProxies says otherwise.
        boolean names = settings.element.attributes().containsKey("internalProxies");
        for (String attribute : List.of("internalProxies", "trustedProxies")) {
            String pattern = settings.value(attribute);
            if (pattern == null || pattern.isBlank()) {
                continue;
            }
            try {
                List<String> found = Values.networksOfPattern(pattern);
                networks.addAll(found);
                String text = "trusted-proxies = " + String.join(",", found);
                if (isTrusted) {
                    settings.mapped(attribute, text);
                } else {
                    settings.notPossible(attribute, text + ", when the proxy sets X-Forwarded-For");
                }
            } catch (IllegalArgumentException e) {
                settings.notPossible(attribute, "trusted-proxies takes networks: " + e.getMessage());
            }
        }
        if (!names) {
            networks.addAll(List.of(PRIVATE_NETWORKS.split(",")));
        }
        if (!isTrusted) {
            settings.tellElement(Outcome.NOT_POSSIBLE, "trusted-proxies is not set, because of remoteIpHeader");
        } else if (networks.isEmpty()) {
            settings.tellElement(Outcome.NOT_POSSIBLE, "trusted-proxies is not set: no proxy is trusted");
        } else {
            String value = String.join(",", networks.stream().distinct().toList());
            String problem = files.set("trusted-proxies", value, settings.where());
            settings.tellElement(
                    problem == null ? Outcome.MAPPED : Outcome.NOT_POSSIBLE,
                    problem == null
                            ? "trusted-proxies = " + value + "; the proxy must set or remove X-Forwarded-For, -Proto,"
                                    + " -Host and -Port"
                            : problem);
        }
    }

    /** Copies the pages of {@code errorCode.404} into the folder of {@code error-pages}. */
    private void errorPages(Settings settings) {
        for (String attribute : settings.element.attributes().keySet()) {
            String path = settings.value(attribute);
            if (path == null || !attribute.startsWith("errorCode.")) {
                continue;
            }
            String status = attribute.substring("errorCode.".length());
            if (!status.matches("[45][0-9]{2}|0")) {
                settings.notPossible(attribute, "error-pages has pages for 400 to 599 only");
                continue;
            }
            Path source = migration.path(path);
            // Tomcat uses the page of 0 for all statuses without a page.
            for (String name : status.equals("0") ? List.of("4xx", "5xx") : List.of(status)) {
                errorPage(settings, attribute, name + ".html", source);
            }
        }
    }

    private void errorPage(Settings settings, String attribute, String name, @Nullable Path source) {
        try {
            if (source == null || Files.size(source) > LARGEST_PAGE) {
                settings.notPossible(attribute, "a page of error-pages is a file of at most 64 KB");
                return;
            }
            files.folder(ERROR_PAGES);
            files.add(ERROR_PAGES + "/" + name, Files.readAllBytes(source));
        } catch (IOException e) {
            settings.notPossible(attribute, "cannot be read; copy the page into a folder for error-pages: " + e);
            return;
        }
        files.set(ERROR_PAGES, files.file(ERROR_PAGES).toString(), settings.where());
        settings.mapped(attribute, ERROR_PAGES + " = " + files.get(ERROR_PAGES) + ", with the page as " + name);
    }

    private void host(Settings settings, boolean isDefault) throws IOException {
        XmlElement element = settings.element;
        String name = settings.value("name", "localhost").toLowerCase(Locale.ROOT);
        List<String> prefixes = new ArrayList<>();
        if (isDefault) {
            prefixes.add("");
            settings.mapped("name", "the default host, which has no name here");
        } else {
            prefixes.add("//" + name);
            settings.mapped("name", "//" + name + "/context=APP in the file " + PenstockFiles.ARGUMENTS);
        }
        for (XmlElement alias : element.all("Alias")) {
            Settings told = new Settings(migration, alias);
            if (isDefault) {
                told.tellElement(
                        Outcome.NOT_NEEDED,
                        alias.text() + ": the default host serves all names that no other host has");
            } else {
                prefixes.add("//" + alias.text().toLowerCase(Locale.ROOT));
                told.tellElement(Outcome.MAPPED, alias.text() + ": contexts of its own, with sessions of their own");
            }
            told.rest(List.of());
        }
        Path appBase = settings.isUnresolved("appBase") ? null : migration.path(settings.value("appBase", "webapps"));
        applications(settings, name, prefixes, appBase);
        settings.rest(List.of());
        for (XmlElement child : element.children()) {
            switch (child.name()) {
                case "Alias", "Context" -> {}
                default -> ofServer(child);
            }
        }
    }

    // --- applications

    /** Finds the applications of a host: in its folder, in the descriptors for it, and in {@code server.xml}. */
    private void applications(Settings host, String name, List<String> prefixes, @Nullable Path appBase)
            throws IOException {
        Map<String, Path> contents = new LinkedHashMap<>();
        Map<String, XmlElement> descriptors = new LinkedHashMap<>();
        boolean whole =
                prefixes.equals(List.of("")) && appBase != null && Files.isDirectory(appBase) && !files.has("webapps");
        String ignored = host.value("deployIgnore");
        if (appBase != null && migration.base.startsWith(appBase)) {
            // The folders in it, such as conf, are no applications.
            whole = false;
            host.notPossible(
                    "appBase",
                    "Tomcat's own folder is not served: only applications of Context elements are in the file "
                            + PenstockFiles.ARGUMENTS);
        } else if (appBase != null && Files.isDirectory(appBase)) {
            whole &= folder(appBase, ignored == null ? "" : ignored, contents);
            if (ignored != null) {
                whole = false;
                host.mapped("deployIgnore", "these applications are not in the file " + PenstockFiles.ARGUMENTS);
            }
        } else {
            host.notPossible("appBase", "no such folder; set webapps to the folder of the applications");
        }
        Path folder = migration.base.resolve("conf").resolve(engine).resolve(name);
        for (Path file : files(folder, ".xml")) {
            XmlElement context = migration.read(file);
            String base = plainName(file.getFileName().toString(), ".xml");
            declared(contents, descriptors, contextPath(base), context, appBase, base);
        }
        for (XmlElement context : host.element.all("Context")) {
            String path = migration.resolve(context.get("path", ""));
            if (path == null) {
                found.add(Map.entry(context, List.of()));
                continue;
            }
            String plain = path.replaceAll("^/+|/+$", "");
            declared(
                    contents,
                    descriptors,
                    "/" + plain,
                    context,
                    appBase,
                    plain.isEmpty() ? "ROOT" : plain.replace('/', '#'));
        }
        Path defaults = folder.resolve("context.xml.default");
        List<App> here = new ArrayList<>();
        for (Map.Entry<String, Path> content : contents.entrySet()) {
            Path file = content.getValue();
            boolean inFolder = whole
                    && appBase != null
                    && appBase.equals(file.getParent())
                    && contextPath(plainName(file.getFileName().toString(), WAR))
                            .equals(content.getKey())
                    && (!Files.isDirectory(file) || Files.isDirectory(file.resolve("WEB-INF")));
            App app = app(prefixes, content.getKey(), file, inFolder);
            if (app != null) {
                files.apps.add(app);
                here.add(app);
                XmlElement context = descriptors.get(content.getKey());
                described(app, context);
            }
        }
        if (whole) {
            host.set("appBase", "webapps", String.valueOf(appBase));
            if ("false".equals(host.value("autoDeploy"))) {
                host.set("autoDeploy", "webapps-interval", "0s");
            }
        } else {
            host.mapped("appBase", "each application by its name in the file " + PenstockFiles.ARGUMENTS);
            if (!"false".equals(host.value("autoDeploy"))) {
                host.notPossible(
                        "autoDeploy",
                        "only applications in the folder webapps of the default host come and go; restart the server"
                                + " for others");
            }
        }
        if (Files.isRegularFile(defaults)) {
            found.add(Map.entry(migration.read(defaults), here));
        }
    }

    private void declared(
            Map<String, Path> contents,
            Map<String, XmlElement> descriptors,
            String path,
            XmlElement context,
            @Nullable Path appBase,
            String name) {
        if (APPLICATIONS_OF_TOMCAT.contains(path.substring(1))) {
            new Settings(migration, context).giveUp(Outcome.NOT_POSSIBLE, OF_TOMCAT);
            context.children().forEach(child -> migration.inside(child, Outcome.NOT_POSSIBLE));
            return;
        }
        String docBase = migration.resolve(context.get("docBase", name));
        Path content = appBase == null || docBase == null
                ? null
                : appBase.resolve(docBase).normalize();
        if (content != null && !Files.exists(content)) {
            Path war = content.resolveSibling(content.getFileName() + WAR);
            content = Files.exists(war) ? war : null;
        }
        if (content != null) {
            contents.put(path, content);
            descriptors.put(path, context);
        } else {
            found.add(Map.entry(context, List.of()));
        }
    }

    private @Nullable App app(List<String> prefixes, String path, Path content, boolean inFolder) {
        List<String> locations = new ArrayList<>();
        for (String prefix : prefixes) {
            ContextLocation location =
                    ContextLocation.read(prefix + (path.equals("/") && prefix.isEmpty() ? "/" : path));
            if (location == null) {
                migration.report.add(new Report.Row(
                        migration.shown(content),
                        0,
                        "the application",
                        prefix + path,
                        Outcome.NOT_POSSIBLE,
                        "not a context path or host; rename it"));
                return null;
            }
            locations.add(location.name());
        }
        return new App(locations, content, inFolder);
    }

    /**
     * Finds the applications in a folder.
     *
     * @return whether the server can serve the folder itself
     */
    private boolean folder(Path appBase, String ignored, Map<String, Path> contents) throws IOException {
        boolean whole = true;
        List<Path> entries = new ArrayList<>(files(appBase, WAR));
        try (Stream<Path> all = Files.list(appBase)) {
            all.filter(Files::isDirectory).sorted().forEach(entries::add);
        }
        for (Path entry : entries) {
            String name = plainName(entry.getFileName().toString(), WAR);
            if (name.startsWith(".")
                    || !ignored.isEmpty() && entry.getFileName().toString().matches(ignored)) {
                continue;
            }
            String problem = APPLICATIONS_OF_TOMCAT.contains(name)
                    ? OF_TOMCAT + ". Remove it, and set webapps = " + appBase + " to have the folder watched"
                    : name.contains("##")
                            ? "there are no versions side by side: a new version in the folder webapps replaces the"
                                    + " former one without a gap"
                            : null;
            if (problem == null) {
                contents.putIfAbsent(contextPath(name), entry);
            } else {
                whole = false;
                migration.report.add(new Report.Row(
                        migration.shown(entry), 0, "the application", "", Outcome.NOT_POSSIBLE, problem));
            }
        }
        return whole;
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file ->
                            file.toString().toLowerCase(Locale.ROOT).endsWith(ending) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
    }

    private static String plainName(String fileName, String ending) {
        return fileName.toLowerCase(Locale.ROOT).endsWith(ending)
                ? fileName.substring(0, fileName.length() - ending.length())
                : fileName;
    }

    private static String contextPath(String name) {
        return name.equals("ROOT") ? "/" : "/" + name.replaceFirst("^ROOT#", "").replace('#', '/');
    }

    /** Finds the descriptors of an application: the given one, or else its {@code META-INF/context.xml}; and its {@code web.xml}. */
    private void described(App app, @Nullable XmlElement given) throws IOException {
        XmlElement context = given == null ? inside(app, CONTEXT_XML) : given;
        if (context != null) {
            found.add(Map.entry(context, List.of(app)));
        }
        XmlElement webXml = inside(app, "WEB-INF/web.xml");
        if (webXml != null) {
            new OtherFiles(migration).applicationWebXml(webXml, app.location());
        }
    }

    /** A file of an application; null if it does not have it, or the file cannot be read. */
    private @Nullable XmlElement inside(App app, String name) throws IOException {
        String shown = migration.shown(app.content) + "/" + name;
        try {
            if (Files.isDirectory(app.content)) {
                Path file = app.content.resolve(name);
                return Files.isRegularFile(file) && Files.size(file) > 0
                        ? XmlElement.read(Files.readAllBytes(file), shown)
                        : null;
            }
            try (ZipFile war = new ZipFile(app.content.toFile())) {
                ZipEntry entry = war.getEntry(name);
                if (entry == null) {
                    return null;
                }
                try (InputStream in = war.getInputStream(entry)) {
                    return XmlElement.read(in.readAllBytes(), shown);
                }
            }
        } catch (IOException e) {
            migration.report.add(
                    new Report.Row(shown, 0, "the file", "", Outcome.UNKNOWN, "cannot be read: " + e.getMessage()));
            return null;
        }
    }

    /** Maps the contexts, when all applications are known. */
    void contexts() {
        found.forEach(context -> contexts.read(context.getKey(), context.getValue()));
    }
}
