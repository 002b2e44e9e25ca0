package io.penstock.deploy;

import io.penstock.limits.HelpPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The descriptors in an application that only other servers read. They have no effect here. The log says so at the deployment. For each
 * element of Tomcat's {@code META-INF/context.xml} it names what does the same here. Values are never logged, since they may be passwords.
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
            "reloadable",
            "debug",
            "privileged",
            "unpackWAR",
            "swallowOutput",
            "useNaming",
            "override",
            "workDir",
            "cachingAllowed",
            "antiResourceLocking",
            "antiJARLocking",
            "tldValidation",
            "xmlValidation",
            "WatchedResource");

    private final String location;
    private final List<String> found = new ArrayList<>();

    private ForeignDescriptors(String location) {
        this.location = location;
    }

    /**
     * Logs the foreign descriptors of an application.
     *
     * @param source the name of the application, for messages
     */
    static void report(String source, String location, Path root) {
        Path file = root.resolve(CONTEXT_XML);
        if (Files.isRegularFile(file)) {
            try {
                List<String> elements = new ForeignDescriptors(location).elements(file);
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
            root.attributes().keySet().stream().sorted().forEach(this::attribute);
            root.children().forEach(this::element);
        }
        if (found.size() > MAX_NAMED) {
            int more = found.size() - MAX_NAMED;
            found.subList(MAX_NAMED, found.size()).clear();
            found.add(more + " more");
        }
        return found;
    }

    private void attribute(String name) {
        String instead =
                switch (name) {
                    case "sessionCookieName" -> key("session-cookie-name");
                    case "sessionCookiePath" -> key("session-cookie-path");
                    case "sessionCookieDomain" -> key("session-cookie-domain");
                    case "useHttpOnly" -> key("session-cookie-http-only");
                    case "sessionCookieUsePartitioned", "usePartitioned" -> key("session-cookie-partitioned");
                    case "sessionCookiePathUsesTrailingSlash" -> override("<cookie-config>");
                    case "cookies" -> key("session-tracking");
                    case "sessionTimeout" -> key("session-timeout");
                    case "crossContext" -> "the key cross-context";
                    case "allowCasualMultipartParsing" -> override("<multipart-config>");
                    case "jndiExceptionOnFailedWrite", "mapperContextRootRedirectEnabled" -> "";
                    case "requestCharacterEncoding" -> key("request-encoding");
                    case "responseCharacterEncoding" -> key("response-encoding");
                    case "containerSciFilter" -> key("exclude-initializers");
                    case "allowLinking" -> null;
                    default -> WITHOUT_LOSS.contains(name) ? "" : null;
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
                    case "ResourceLink" -> dataSource(name);
                    case "Environment" -> key("env." + name);
                    case "Parameter" -> key("context-param." + name);
                    case "Realm" -> "the key realm-file or realm-data-source";
                    case "Manager" -> "the keys session-dir, session-store and max-sessions";
                    case "CookieProcessor" ->
                        attributes.containsKey("sameSiteCookies")
                                ? key("session-cookie-same-site") + ", for the session cookie"
                                : key("session-cookie-partitioned") + ", for the session cookie";
                    case "Resources" -> key("libraries") + ", for a folder of libraries at /WEB-INF/lib";
                    case "JarScanner" -> key("exclude-scan");
                    case "Valve" -> valve(className);
                    default -> WITHOUT_LOSS.contains(element.name()) ? "" : null;
                };
        add(shown, instead);
    }

    private static @Nullable String valve(String className) {
        String simple = className.substring(className.lastIndexOf('.') + 1);
        return switch (simple) {
            case "RemoteIpValve" -> "the key trusted-proxies";
            case "RemoteAddrValve", "RemoteCIDRValve", "RemoteHostValve" ->
                "the keys allowed-addresses and denied-addresses";
            case "AccessLogValve", "ExtendedAccessLogValve" -> "the keys access-log and access-log-format";
            case "ErrorReportValve" -> "<error-page> in web.xml";
            case "BasicAuthenticator", "DigestAuthenticator", "FormAuthenticator", "SSLAuthenticator" ->
                "<login-config> in web.xml";
            case "StuckThreadDetectionValve" -> "the key service-timeout";
            case "SemaphoreValve" -> "the key max-workers of the application";
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
        return "the file of the key data-sources, with " + (name.isEmpty() ? "NAME" : name) + ".url = ...";
    }

    private String key(String key) {
        return "the key " + location + ":" + key;
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
