package io.penstock.deploy;

import io.penstock.environment.ResourceName;
import io.penstock.limits.HelpPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The descriptors in an application that only other servers read. They have no effect here. The log says so at the deployment. For each
 * element of Tomcat's {@code META-INF/context.xml} it names what does the same here, unless the configuration has it already: the operator has
 * then taken over the element, as {@code penstock migrate} does. Values are never logged, since they may be passwords.
 */
final class ForeignDescriptors {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignDescriptors.class);
    private static final String CONTEXT_XML = "META-INF/context.xml";
    private static final List<String> OTHERS = List.of(
            "WEB-INF/jetty-web.xml",
            "WEB-INF/jetty-env.xml",
            "WEB-INF/jboss-web.xml",
            "WEB-INF/weblogic.xml",
            "WEB-INF/glassfish-web.xml",
            "WEB-INF/sun-web.xml",
            "WEB-INF/ibm-web-ext.xml",
            "WEB-INF/ibm-web-bnd.xml");

    /** A line of the log names at most so many elements. */
    private static final int MAX_NAMED = 30;

    /** Attributes and elements that only concern how Tomcat itself works. An application loses nothing without them. */
    private static final Set<String> WITHOUT_LOSS = Set.of(
            "path",
            "docBase",
            "className",
            "displayName",
            "name",
            "reloadable",
            "debug",
            "privileged",
            "unpackWAR",
            "copyXML",
            "swallowOutput",
            "swallowAbortedUploads",
            "useNaming",
            "override",
            "workDir",
            "wrapperClass",
            "webappVersion",
            "unloadDelay",
            "backgroundProcessorDelay",
            "cachingAllowed",
            "cacheMaxSize",
            "cacheTTL",
            "cacheObjectMaxSize",
            "antiResourceLocking",
            "antiJARLocking",
            "addWebinfClassesResources",
            "createUploadTargets",
            "denyUncoveredHttpMethods",
            "dispatchersUseEncodedPaths",
            "fireRequestListenersOnForwards",
            "jndiExceptionOnFailedWrite",
            "logEffectiveWebXml",
            "mapperContextRootRedirectEnabled",
            "mapperDirectoryRedirectEnabled",
            "parallelAnnotationScanning",
            "preemptiveAuthentication",
            "processTlds",
            "renewThreadsWhenStoppingContext",
            "resourceOnlyServlets",
            "sendRedirectBody",
            "skipMemoryLeakChecksOnJvmShutdown",
            "suspendWrappedResponseAfterForward",
            "tldNamespaceAware",
            "tldValidation",
            "useBloomFilterForArchives",
            "validateClientProvidedNewSessionId",
            "xmlBlockExternal",
            "xmlNamespaceAware",
            "xmlValidation",
            "WatchedResource");

    /** Attributes whose value {@code false} is what this server does. */
    private static final Set<String> FALSE_WITHOUT_LOSS = Set.of(
            "allowCasualMultipartParsing",
            "allowLinking",
            "allowMultipleLeadingForwardSlashInPath",
            "crossContext",
            "failCtxIfServletStartFails",
            "ignoreAnnotations",
            "metadataComplete",
            "sessionCookiePathUsesTrailingSlash",
            "sessionCookieUsePartitioned",
            "usePartitioned");

    private final String location;

    /** The names of the keys that have a value. Those of the application begin with a colon. */
    private final Set<String> given;

    private final WebXml webXml;
    private final List<String> found = new ArrayList<>();

    private ForeignDescriptors(String location, Set<String> given, WebXml webXml) {
        this.location = location;
        this.given = given;
        this.webXml = webXml;
    }

    /**
     * Logs the foreign descriptors of an application.
     *
     * @param source the name of the application, for messages
     * @param given the names of the keys that have a value; those of the application begin with a colon
     * @param webXml the merged descriptor of the application
     */
    static void report(String source, String location, Path root, Set<String> given, WebXml webXml) {
        Path file = root.resolve(CONTEXT_XML);
        if (Files.isRegularFile(file)) {
            try {
                List<String> elements = new ForeignDescriptors(location, given, webXml).elements(file);
                if (!elements.isEmpty()) {
                    LOG.warn(
                            "{}: {} is a file for Tomcat, and has no effect here. {}{}",
                            source,
                            CONTEXT_XML,
                            String.join("; ", elements),
                            HelpPage.TOMCAT_FILES.more());
                }
            } catch (DeploymentException | IOException e) {
                LOG.warn(
                        "{}: {} is a file for Tomcat, has no effect here, and cannot be read: {}",
                        source,
                        CONTEXT_XML,
                        e.getMessage());
            }
        }
        for (String other : OTHERS) {
            if (Files.isRegularFile(root.resolve(other))) {
                LOG.info("{}: {} is a file for another server, and has no effect here", source, other);
            }
        }
    }

    private List<String> elements(Path file) throws DeploymentException, IOException {
        if (Files.size(file) == 0) {
            return List.of();
        }
        try (InputStream in = Files.newInputStream(file)) {
            XmlElement root = XmlFile.read(CONTEXT_XML, in).root();
            new TreeMap<>(root.attributes()).forEach(this::attribute);
            root.children().forEach(this::element);
        }
        if (found.size() > MAX_NAMED) {
            int more = found.size() - MAX_NAMED;
            found.subList(MAX_NAMED, found.size()).clear();
            found.add(more + " more");
        }
        return found;
    }

    private void attribute(String name, String value) {
        if (name.startsWith("clearReferences")
                || WITHOUT_LOSS.contains(name)
                || (FALSE_WITHOUT_LOSS.contains(name) && value.equalsIgnoreCase("false"))) {
            return;
        }
        String instead =
                switch (name) {
                    case "sessionCookieName" -> own("session-cookie-name");
                    case "sessionCookiePath" -> own("session-cookie-path");
                    case "sessionCookieDomain" -> own("session-cookie-domain");
                    case "useHttpOnly" -> value.equalsIgnoreCase("true") ? "" : own("session-cookie-http-only");
                    case "sessionCookieUsePartitioned", "usePartitioned" -> own("session-cookie-partitioned");
                    case "sessionCookiePathUsesTrailingSlash" -> override("<cookie-config>");
                    case "cookies" -> value.equalsIgnoreCase("true") ? "" : own("session-tracking");
                    case "sessionTimeout" -> own("session-timeout");
                    // The default allows it.
                    case "crossContext" -> given.contains("cross-context") ? "the key cross-context" : "";
                    case "allowCasualMultipartParsing" -> override("<multipart-config>");
                    case "requestCharacterEncoding" -> own("request-encoding");
                    case "responseCharacterEncoding" -> own("response-encoding");
                    case "containerSciFilter" -> own("exclude-initializers");
                    case "useRelativeRedirects" -> ofServer("redirects");
                    case "altDDName" -> own("override-web-xml");
                    case "ignoreAnnotations", "metadataComplete" -> "metadata-complete in web.xml";
                    default -> null;
                };
        add("attribute " + printable(name), instead);
    }

    private void element(XmlElement element) {
        Map<String, String> attributes = element.attributes();
        String name = printable(attributes.getOrDefault("name", ""));
        String type = attributes.getOrDefault("type", "");
        String className = attributes.getOrDefault("className", "");
        String shown = "<" + printable(element.name())
                + (name.isEmpty() ? "" : " name='" + name + "'")
                + (className.isEmpty() ? "" : " className='" + printable(className) + "'") + ">";
        String instead =
                switch (element.name()) {
                    case "Resource" ->
                        type.endsWith("DataSource")
                                ? dataSource(name)
                                : "no key; a program that embeds the server binds it, or the application creates it";
                    case "ResourceLink" -> given.contains(":env." + name) ? "" : dataSource(name);
                    case "Environment" -> own("env." + name);
                    case "Parameter" -> own("context-param." + name);
                    case "Realm" -> ofServer("realm-file", "realm-data-source", "realm-ldap-url");
                    case "Manager" -> manager(element);
                    case "CookieProcessor" -> cookies(attributes);
                    case "Resources" -> resources(element);
                    case "JarScanner" -> element.children().isEmpty() ? "" : own("exclude-scan");
                    case "Loader" -> "true".equalsIgnoreCase(attributes.get("delegate")) ? null : "";
                    case "Valve" -> valve(className);
                    default -> WITHOUT_LOSS.contains(element.name()) ? "" : null;
                };
        add(shown, instead);
    }

    /** An empty path only says that sessions end with the server, as they do here. The filters of stored values are not needed. */
    private String manager(XmlElement manager) {
        Map<String, String> attributes = manager.attributes();
        String className = attributes.getOrDefault("className", "");
        boolean isStored = !manager.all("Store").isEmpty()
                || !attributes.getOrDefault("pathname", "").isBlank()
                || !(className.isEmpty() || className.endsWith(".StandardManager"));
        boolean isLimited = !attributes.getOrDefault("maxActiveSessions", "-1").equals("-1");
        return Stream.of(
                        isStored ? ofServer("session-dir", "session-store") : "",
                        isLimited ? ofServer("max-sessions") : "",
                        attributes.containsKey("maxInactiveInterval") ? own("session-timeout") : "")
                .filter(key -> !key.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private String cookies(Map<String, String> attributes) {
        String sameSite = attributes.getOrDefault("sameSiteCookies", "unset");
        boolean isPartitioned = "true".equalsIgnoreCase(attributes.get("partitioned"));
        String key = !sameSite.equalsIgnoreCase("unset")
                ? own("session-cookie-same-site")
                : isPartitioned ? own("session-cookie-partitioned") : "";
        return key.isEmpty() ? "" : key + ", for the session cookie";
    }

    /** Without sets of resources, the element only has the sizes of Tomcat's cache. */
    private String resources(XmlElement resources) {
        boolean isCache =
                resources.children().stream().allMatch(child -> child.name().equals("CacheStrategy"));
        String key = isCache ? "" : own("libraries");
        return key.isEmpty() ? "" : key + ", for a folder of libraries at /WEB-INF/lib";
    }

    private String valve(String className) {
        String simple = className.substring(className.lastIndexOf('.') + 1);
        return switch (simple) {
            case "RemoteIpValve" -> ofServer("trusted-proxies");
            case "RemoteAddrValve", "RemoteCIDRValve", "RemoteHostValve" ->
                // A rule for the whole server is another one.
                given.contains(":allowed-addresses") || given.contains(":denied-addresses")
                        ? ""
                        : "the key " + location + ":allowed-addresses or " + location + ":denied-addresses";
            case "AccessLogValve", "ExtendedAccessLogValve" -> ofServer("access-log", "access-log-format");
            case "ErrorReportValve" ->
                given.contains("error-pages") ? "" : "<error-page> in web.xml, or the key error-pages";
            case "BasicAuthenticator", "DigestAuthenticator", "FormAuthenticator", "SSLAuthenticator" ->
                webXml.security().login() == null ? "<login-config> in web.xml" : "";
            case "StuckThreadDetectionValve" -> ofServer("service-timeout");
            case "SemaphoreValve" -> own("max-workers");
            default -> "a filter of the application";
        };
    }

    /** @param instead what does the same here; null if there is nothing, and empty if the application loses nothing */
    private void add(String what, @Nullable String instead) {
        if (instead == null) {
            found.add(what + ": nothing does the same here");
        } else if (!instead.isEmpty()) {
            found.add(what + ": " + instead);
        }
    }

    private String dataSource(String name) {
        boolean isDeclared = webXml.environment().stream()
                .filter(element -> element.name().startsWith("resource-"))
                .anyMatch(element -> element.children().stream()
                        .anyMatch(
                                child -> ResourceName.full(child.text().strip()).equals(ResourceName.full(name))));
        // The log says later if nothing is bound to a declared reference.
        return isDeclared && given.contains("data-sources")
                ? ""
                : "the file of the key data-sources, with " + (name.isEmpty() ? "NAME" : name) + ".url = ...";
    }

    /** A key of the application; empty if it has a value, or if the server has one for all applications. */
    private String own(String key) {
        return given.contains(":" + key) || given.contains(key) ? "" : "the key " + location + ":" + key;
    }

    /** Keys of the server; empty if one of them has a value. */
    private String ofServer(String... keys) {
        if (Stream.of(keys).anyMatch(given::contains)) {
            return "";
        }
        String last = keys[keys.length - 1];
        String others = String.join(", ", List.of(keys).subList(0, keys.length - 1));
        return "the key " + (others.isEmpty() ? last : others + " or " + last);
    }

    private String override(String element) {
        return element + " in web.xml, or in the file of the key " + location + ":override-web-xml";
    }

    /** The text without characters that could begin a line of the log. */
    private static String printable(String text) {
        String cut = text.length() > 100 ? text.substring(0, 100) + "..." : text;
        return cut.replaceAll("[^ -~]", "?");
    }
}
