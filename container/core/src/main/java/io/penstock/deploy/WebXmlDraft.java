package io.penstock.deploy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A mutable {@link WebXml}. The parser, the {@link AnnotationScanner} or the {@link Merge} fills it. Thread: one thread at a time. */
final class WebXmlDraft {
    final SourceLocation at;
    WebXml.About about = WebXml.About.NOTHING;
    WebXml.Ordering ordering = WebXml.Ordering.NONE;
    final List<WebXml.Parameter> contextParameters = new ArrayList<>();
    final List<WebXml.ServletDeclaration> servlets = new ArrayList<>();
    final List<WebXml.ServletMapping> servletMappings = new ArrayList<>();
    final List<WebXml.FilterDeclaration> filters = new ArrayList<>();
    final List<WebXml.FilterMapping> filterMappings = new ArrayList<>();
    final List<WebXml.ListenerDeclaration> listeners = new ArrayList<>();
    WebXml.@Nullable SessionConfig session;
    final List<WebXml.Text> welcomeFiles = new ArrayList<>();
    final List<WebXml.ErrorPage> errorPages = new ArrayList<>();
    final List<WebXml.MimeMapping> mimeMappings = new ArrayList<>();
    final List<WebXml.LocaleEncoding> localeEncodings = new ArrayList<>();
    WebXml.@Nullable Text requestEncoding;
    WebXml.@Nullable Text responseEncoding;
    final List<WebXml.SecurityConstraint> constraints = new ArrayList<>();
    WebXml.@Nullable LoginConfig login;
    final List<WebXml.Text> roles = new ArrayList<>();
    final List<XmlElement> environment = new ArrayList<>();
    final List<XmlElement> jspConfig = new ArrayList<>();

    WebXmlDraft(SourceLocation at) {
        this.at = at;
    }

    WebXml toWebXml() {
        return new WebXml(
                at,
                about,
                ordering,
                contextParameters,
                servlets,
                servletMappings,
                filters,
                filterMappings,
                listeners,
                session,
                welcomeFiles,
                errorPages,
                mimeMappings,
                localeEncodings,
                requestEncoding,
                responseEncoding,
                new WebXml.Security(constraints, login, roles),
                environment,
                jspConfig);
    }
}
