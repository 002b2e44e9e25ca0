package io.penstock.deploy;

import static io.penstock.deploy.WebXmlParser.constant;
import static io.penstock.deploy.WebXmlParser.known;
import static io.penstock.deploy.WebXmlParser.parameter;

import io.penstock.deploy.WebXml.Dispatcher;
import io.penstock.deploy.WebXml.FilterDeclaration;
import io.penstock.deploy.WebXml.FilterMapping;
import io.penstock.deploy.WebXml.Multipart;
import io.penstock.deploy.WebXml.Parameter;
import io.penstock.deploy.WebXml.RoleReference;
import io.penstock.deploy.WebXml.ServletDeclaration;
import io.penstock.deploy.WebXml.ServletMapping;
import io.penstock.mapping.UrlPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the elements that declare and map servlets and filters. */
final class ServletElements {
    private ServletElements() {}

    static ServletDeclaration servlet(XmlElement element) throws DeploymentException {
        known(
                element,
                "description",
                "display-name",
                "icon",
                "servlet-name",
                "servlet-class",
                "jsp-file",
                "init-param",
                "load-on-startup",
                "enabled",
                "async-supported",
                "run-as",
                "security-role-ref",
                "multipart-config");
        String className = element.optionalText("servlet-class");
        XmlElement jsp = element.optional("jsp-file");
        String jspFile = jsp == null ? null : DescriptorPath.location(jsp);
        if (className != null && jspFile != null) {
            throw element.error("has both <servlet-class> and <jsp-file>");
        }
        if (className != null && className.isEmpty()) {
            throw element.required("servlet-class").error("is empty");
        }
        return new ServletDeclaration(
                element.requiredText("servlet-name"),
                className,
                jspFile,
                parameters(element),
                loadOnStartup(element),
                element.optionalBoolean("enabled"),
                element.optionalBoolean("async-supported"),
                multipart(element.optional("multipart-config")),
                runAs(element.optional("run-as")),
                roleReferences(element),
                element.at());
    }

    /**
     * The value of {@code load-on-startup}, or null if the element is missing. An empty element means 0: the servlet loads on startup, in
     * no particular order.
     */
    private static @Nullable Integer loadOnStartup(XmlElement servlet) throws DeploymentException {
        XmlElement element = servlet.optional("load-on-startup");
        if (element == null) {
            return null;
        }
        return element.text().isEmpty() ? Integer.valueOf(0) : Integer.valueOf(element.intText());
    }

    private static @Nullable Multipart multipart(@Nullable XmlElement element) throws DeploymentException {
        if (element == null) {
            return null;
        }
        known(element, "location", "max-file-size", "max-request-size", "file-size-threshold");
        String location = element.optionalText("location");
        XmlElement threshold = element.optional("file-size-threshold");
        return new Multipart(
                location == null ? "" : location,
                size(element.optional("max-file-size")),
                size(element.optional("max-request-size")),
                threshold == null ? 0 : threshold.intText());
    }

    private static long size(@Nullable XmlElement element) throws DeploymentException {
        return element == null ? -1 : element.longText();
    }

    private static @Nullable String runAs(@Nullable XmlElement element) throws DeploymentException {
        if (element == null) {
            return null;
        }
        known(element, "description", "role-name");
        return element.requiredText("role-name");
    }

    private static List<RoleReference> roleReferences(XmlElement servlet) throws DeploymentException {
        List<RoleReference> references = new ArrayList<>();
        for (XmlElement element : servlet.all("security-role-ref")) {
            known(element, "description", "role-name", "role-link");
            references.add(new RoleReference(element.requiredText("role-name"), element.optionalText("role-link")));
        }
        return references;
    }

    static ServletMapping servletMapping(XmlElement element) throws DeploymentException {
        known(element, "servlet-name", "url-pattern");
        List<String> patterns = patterns(element);
        if (patterns.isEmpty()) {
            throw element.error("lacks <url-pattern>");
        }
        return new ServletMapping(element.requiredText("servlet-name"), patterns, element.at());
    }

    static FilterDeclaration filter(XmlElement element) throws DeploymentException {
        known(
                element,
                "description",
                "display-name",
                "icon",
                "filter-name",
                "filter-class",
                "async-supported",
                "init-param");
        return new FilterDeclaration(
                element.requiredText("filter-name"),
                element.optionalText("filter-class"),
                parameters(element),
                element.optionalBoolean("async-supported"),
                element.at());
    }

    static FilterMapping filterMapping(XmlElement element) throws DeploymentException {
        known(element, "filter-name", "url-pattern", "servlet-name", "dispatcher");
        List<Dispatcher> dispatchers = new ArrayList<>();
        for (XmlElement dispatcher : element.all("dispatcher")) {
            dispatchers.add(constant(Dispatcher.class, dispatcher));
        }
        FilterMapping mapping = new FilterMapping(
                element.requiredText("filter-name"),
                patterns(element, UrlPattern::ofFilter),
                element.texts("servlet-name"),
                dispatchers,
                element.at());
        if (mapping.patterns().isEmpty() && mapping.servletNames().isEmpty()) {
            throw element.error("lacks <url-pattern> or <servlet-name>");
        }
        return mapping;
    }

    /**
     * The init parameters. If several parameters have the same name, the first is used. The specification does not define this case, but
     * applications depend on this rule.
     */
    private static List<Parameter> parameters(XmlElement owner) throws DeploymentException {
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        for (XmlElement element : owner.all("init-param")) {
            Parameter parameter = parameter(element);
            parameters.putIfAbsent(parameter.name(), parameter);
        }
        return List.copyOf(parameters.values());
    }

    /** Reads the URL patterns inside {@code owner}, and rejects invalid patterns. */
    static List<String> patterns(XmlElement owner) throws DeploymentException {
        return patterns(owner, UrlPattern::parse);
    }

    private static List<String> patterns(XmlElement owner, Function<String, UrlPattern> parser)
            throws DeploymentException {
        List<String> patterns = new ArrayList<>();
        for (XmlElement element : owner.all("url-pattern")) {
            try {
                patterns.add(parser.apply(DescriptorPath.pattern(element)).text());
            } catch (IllegalArgumentException e) {
                throw element.error("is not a URL pattern: " + e.getMessage());
            }
        }
        return patterns;
    }
}
