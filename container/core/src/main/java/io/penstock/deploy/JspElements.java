package io.penstock.deploy;

import static io.penstock.deploy.WebXmlParser.known;

import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the elements that configure JSP pages. The element is {@code jsp-config}. In Servlet 2.3 and earlier, it is {@code taglib}. */
final class JspElements {
    private JspElements() {}

    /** Makes the JSP configuration from the elements of all descriptors. Returns null if there are no elements. */
    static @Nullable JspConfigDescriptor config(List<XmlElement> elements) throws DeploymentException {
        if (elements.isEmpty()) {
            return null;
        }
        List<JspConfig.Taglib> taglibs = new ArrayList<>();
        List<JspConfig.PropertyGroup> groups = new ArrayList<>();
        for (XmlElement element : elements) {
            if (element.name().equals("taglib")) {
                taglibs.add(taglib(element));
                continue;
            }
            known(element, "taglib", "jsp-property-group");
            for (XmlElement taglib : element.all("taglib")) {
                taglibs.add(taglib(taglib));
            }
            for (XmlElement group : element.all("jsp-property-group")) {
                groups.add(propertyGroup(group));
            }
        }
        return new JspConfig(taglibs, groups);
    }

    private static JspConfig.Taglib taglib(XmlElement element) throws DeploymentException {
        known(element, "description", "taglib-uri", "taglib-location");
        return new JspConfig.Taglib(element.requiredText("taglib-uri"), element.requiredText("taglib-location"));
    }

    private static JspConfig.PropertyGroup propertyGroup(XmlElement element) throws DeploymentException {
        known(
                element,
                "description",
                "display-name",
                "icon",
                "url-pattern",
                "el-ignored",
                "error-on-el-not-found",
                "page-encoding",
                "scripting-invalid",
                "is-xml",
                "include-prelude",
                "include-coda",
                "deferred-syntax-allowed-as-literal",
                "trim-directive-whitespaces",
                "default-content-type",
                "buffer",
                "error-on-undeclared-namespace");
        List<String> patterns = ServletElements.patterns(element);
        if (patterns.isEmpty()) {
            throw element.error("lacks <url-pattern>");
        }
        return new JspConfig.PropertyGroup(
                patterns,
                truth(element, "el-ignored"),
                truth(element, "error-on-el-not-found"),
                element.optionalText("page-encoding"),
                truth(element, "scripting-invalid"),
                truth(element, "is-xml"),
                element.texts("include-prelude"),
                element.texts("include-coda"),
                truth(element, "deferred-syntax-allowed-as-literal"),
                truth(element, "trim-directive-whitespaces"),
                element.optionalText("default-content-type"),
                element.optionalText("buffer"),
                truth(element, "error-on-undeclared-namespace"));
    }

    /** The value {@code true} or {@code false} of a child element, or null if there is no such child. */
    private static @Nullable String truth(XmlElement element, String name) throws DeploymentException {
        Boolean value = element.optionalBoolean(name);
        return value == null ? null : value.toString();
    }
}
