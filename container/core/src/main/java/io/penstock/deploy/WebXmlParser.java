package io.penstock.deploy;

import io.penstock.deploy.WebXml.About;
import io.penstock.deploy.WebXml.ErrorPage;
import io.penstock.deploy.WebXml.ListenerDeclaration;
import io.penstock.deploy.WebXml.LocaleEncoding;
import io.penstock.deploy.WebXml.MimeMapping;
import io.penstock.deploy.WebXml.Ordering;
import io.penstock.deploy.WebXml.Parameter;
import io.penstock.deploy.WebXml.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code web.xml} and {@code web-fragment.xml} of the versions 2.2 to 6.1 (Servlet chapter 14). Namespaces and the order of elements
 * are not checked, because they differ between versions and have no meaning for this server. An element that no version defines is an
 * error, because its name is almost always misspelt.
 */
final class WebXmlParser {
    private static final Set<String> ENVIRONMENT = Set.of(
            "administered-object",
            "connection-factory",
            "context-service",
            "data-source",
            "ejb-local-ref",
            "ejb-ref",
            "env-entry",
            "jms-connection-factory",
            "jms-destination",
            "mail-session",
            "managed-executor",
            "managed-scheduled-executor",
            "managed-thread-factory",
            "message-destination",
            "message-destination-ref",
            "module-name",
            "persistence-context-ref",
            "persistence-unit-ref",
            "post-construct",
            "pre-destroy",
            "resource-env-ref",
            "resource-ref",
            "service-ref");

    private final WebXmlDraft draft;
    private final XmlElement root;
    private final @Nullable String versionOfDoctype;

    private WebXmlParser(XmlElement root, @Nullable String versionOfDoctype) {
        this.root = root;
        this.versionOfDoctype = versionOfDoctype;
        this.draft = new WebXmlDraft(root.at());
    }

    /** Reads a {@code web.xml}. A file of 0 bytes declares nothing, as on other servers. Does not close {@code in}. */
    static WebXml application(String file, InputStream in) throws DeploymentException, IOException {
        return parse(file, in, "web-app");
    }

    /** Reads a {@code web-fragment.xml}. A file of 0 bytes declares nothing. Does not close {@code in}. */
    static WebXml fragment(String file, InputStream in) throws DeploymentException, IOException {
        return parse(file, in, "web-fragment");
    }

    private static WebXml parse(String file, InputStream in, String expectedRoot)
            throws DeploymentException, IOException {
        PushbackInputStream text = new PushbackInputStream(in);
        int first = text.read();
        if (first < 0) {
            return WebXml.empty(SourceLocation.file(file));
        }
        text.unread(first);
        XmlDocument document = XmlFile.read(file, text);
        XmlElement root = document.root();
        if (!root.name().equals(expectedRoot)) {
            throw root.error("is not the root element that this file needs: <" + expectedRoot + "> is expected");
        }
        return new WebXmlParser(EarlyPatterns.completed(root), document.version()).parse();
    }

    private WebXml parse() throws DeploymentException {
        draft.about = about();
        draft.ordering = ordering();
        root.optional("session-config");
        root.optional("jsp-config");
        root.optional("login-config");
        for (XmlElement element : root.children()) {
            topLevel(element);
        }
        return draft.toWebXml();
    }

    private About about() throws DeploymentException {
        List<String> names = root.texts("display-name");
        String version = root.attributes().get("version");
        return new About(
                version == null ? versionOfDoctype : version,
                metadataComplete(),
                root.optionalText("name"),
                names.isEmpty() ? null : names.get(0),
                !root.all("distributable").isEmpty(),
                !root.all("deny-uncovered-http-methods").isEmpty());
    }

    private boolean metadataComplete() throws DeploymentException {
        String value = root.attributes().getOrDefault("metadata-complete", "false");
        return switch (value) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw root.error("has metadata-complete='" + value + "', which must be true or false");
        };
    }

    private void topLevel(XmlElement element) throws DeploymentException {
        switch (element.name()) {
            case "context-param" -> draft.contextParameters.add(parameter(element));
            case "servlet" -> draft.servlets.add(ServletElements.servlet(element));
            case "servlet-mapping" -> draft.servletMappings.add(ServletElements.servletMapping(element));
            case "filter" -> draft.filters.add(ServletElements.filter(element));
            case "filter-mapping" -> draft.filterMappings.add(ServletElements.filterMapping(element));
            case "listener" -> listener(element);
            case "session-config" -> draft.session = SessionElements.session(element);
            case "welcome-file-list" -> welcomeFiles(element);
            case "error-page" -> draft.errorPages.add(errorPage(element));
            case "mime-mapping" -> draft.mimeMappings.add(mimeMapping(element));
            case "locale-encoding-mapping-list" -> localeEncodings(element);
            case "request-character-encoding" -> draft.requestEncoding = encoding(element, draft.requestEncoding);
            case "response-character-encoding" -> draft.responseEncoding = encoding(element, draft.responseEncoding);
            case "security-constraint" -> draft.constraints.add(SecurityElements.constraint(element));
            case "login-config" -> draft.login = SecurityElements.login(element);
            case "security-role" -> draft.roles.add(role(element));
            case "jsp-config", "taglib" -> draft.jspConfig.add(element);
            case "description",
                    "display-name",
                    "icon",
                    "distributable",
                    "name",
                    "ordering",
                    "absolute-ordering",
                    "default-context-path",
                    "deny-uncovered-http-methods" -> {
                // The methods about() and ordering() read these elements, or the elements have no effect on this
                // server.
            }
            default -> {
                if (!ENVIRONMENT.contains(element.name())) {
                    throw element.error("is not an element of <" + root.name() + ">");
                }
                draft.environment.add(element);
            }
        }
    }

    private Ordering ordering() throws DeploymentException {
        XmlElement absolute = root.optional("absolute-ordering");
        XmlElement relative = root.optional("ordering");
        if (relative == null) {
            return new Ordering(absolute == null ? null : orderedNames(absolute), List.of(), List.of());
        }
        known(relative, "before", "after");
        XmlElement before = relative.optional("before");
        XmlElement after = relative.optional("after");
        return new Ordering(
                absolute == null ? null : orderedNames(absolute),
                before == null ? List.of() : orderedNames(before),
                after == null ? List.of() : orderedNames(after));
    }

    private static List<String> orderedNames(XmlElement element) throws DeploymentException {
        known(element, "name", "others");
        element.optional("others");
        List<String> names = new ArrayList<>();
        for (XmlElement child : element.children()) {
            names.add(child.name().equals("others") ? Ordering.OTHERS : child.nonEmptyText());
        }
        return names;
    }

    /** Adds a listener. If a class is declared several times, it is added once (Servlet 8.2.3). */
    private void listener(XmlElement element) throws DeploymentException {
        known(element, "description", "display-name", "icon", "listener-class");
        String className = element.requiredText("listener-class");
        if (draft.listeners.stream().noneMatch(known -> known.className().equals(className))) {
            draft.listeners.add(new ListenerDeclaration(className, element.at()));
        }
    }

    private void welcomeFiles(XmlElement element) throws DeploymentException {
        known(element, "welcome-file");
        for (XmlElement file : element.all("welcome-file")) {
            draft.welcomeFiles.add(new Text(file.nonEmptyText(), file.at()));
        }
    }

    private static ErrorPage errorPage(XmlElement element) throws DeploymentException {
        known(element, "error-code", "exception-type", "location");
        XmlElement code = element.optional("error-code");
        String type = element.optionalText("exception-type");
        if (code != null && type != null) {
            throw element.error("has both <error-code> and <exception-type>");
        }
        String location = DescriptorPath.location(element.required("location"));
        return new ErrorPage(code == null ? null : code.intText(), type, location, element.at());
    }

    private static MimeMapping mimeMapping(XmlElement element) throws DeploymentException {
        known(element, "extension", "mime-type");
        return new MimeMapping(element.requiredText("extension"), element.requiredText("mime-type"), element.at());
    }

    private void localeEncodings(XmlElement element) throws DeploymentException {
        known(element, "locale-encoding-mapping");
        for (XmlElement mapping : element.all("locale-encoding-mapping")) {
            known(mapping, "locale", "encoding");
            draft.localeEncodings.add(new LocaleEncoding(
                    mapping.requiredText("locale"), charset(mapping.required("encoding")), mapping.at()));
        }
    }

    private static Text encoding(XmlElement element, @Nullable Text earlier) throws DeploymentException {
        if (earlier != null) {
            throw element.error("is already given in line " + earlier.at().line());
        }
        return new Text(charset(element), element.at());
    }

    private static String charset(XmlElement element) throws DeploymentException {
        String name = element.nonEmptyText();
        try {
            Charset.forName(name);
            return name;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw element.error("names no character encoding of this Java runtime: '" + name + "'");
        }
    }

    private static Text role(XmlElement element) throws DeploymentException {
        known(element, "description", "role-name");
        return new Text(element.requiredText("role-name"), element.at());
    }

    /** Reads a {@code context-param}, an {@code init-param} or a similar element. The name must not be empty. The value can be empty. */
    static Parameter parameter(XmlElement element) throws DeploymentException {
        known(element, "description", "param-name", "param-value");
        return new Parameter(
                element.requiredText("param-name"),
                element.required("param-value").text(),
                element.at());
    }

    /** Rejects children of the element whose names are not in {@code names}. */
    static void known(XmlElement element, String... names) throws DeploymentException {
        Set<String> known = Set.of(names);
        for (XmlElement child : element.children()) {
            if (!known.contains(child.name())) {
                throw child.error("is not an element of <" + element.name() + ">");
            }
        }
    }

    /** The constant of {@code type} that the text of the element names. Upper and lower case must match (Servlet 14.2). */
    static <E extends Enum<E>> E constant(Class<E> type, XmlElement element) throws DeploymentException {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(element.text())) {
                return constant;
            }
        }
        throw element.error("must be one of " + List.of(type.getEnumConstants()) + ", not '" + element.text() + "'");
    }
}
