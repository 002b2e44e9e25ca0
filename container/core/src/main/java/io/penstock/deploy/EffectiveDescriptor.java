package io.penstock.deploy;

import io.penstock.environment.DataSourceDefinition;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.ApplicationSettings.Given;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes a merged descriptor as text. A comment beside each element has its source location: the file and line, or the annotated class
 * (Servlet 8.2.3). Thread: one thread at a time.
 */
final class EffectiveDescriptor {
    private final WebXml xml;
    private final Map<String, SourceLocation> origins;
    private final ClassScans scans;
    private final XmlText text = new XmlText();

    private EffectiveDescriptor(MergedDescriptor merged) {
        this.xml = merged.xml();
        this.origins = merged.origins();
        this.scans = merged.scans();
    }

    static String of(MergedDescriptor merged, List<String> libraries, ApplicationSettings settings) {
        EffectiveDescriptor descriptor = new EffectiveDescriptor(merged);
        descriptor.write(merged, libraries, settings);
        return descriptor.text.toString();
    }

    private void write(MergedDescriptor merged, List<String> libraries, ApplicationSettings settings) {
        String version =
                xml.about().version() == null ? "" : " version=\"" + xml.about().version() + "\"";
        text.open("web-app", version + " metadata-complete=\"true\"", xml.at());
        text.comment("libraries in their order: " + shown(merged.names()));
        List<String> excluded = libraries.stream()
                .filter(name -> !merged.names().contains(name))
                .toList();
        if (!excluded.isEmpty()) {
            text.comment("excluded by <absolute-ordering>: " + shown(excluded));
        }
        settings.excludedScans().forEach(library -> excluded("exclude-scan", library));
        settings.excludedInitializers().forEach(initializer -> excluded("exclude-initializers", initializer));
        about();
        each("context-param", xml.contextParameters(), WebXml.Parameter::at, this::parameter);
        each("filter", xml.filters(), WebXml.FilterDeclaration::at, this::filter);
        each("filter-mapping", xml.filterMappings(), WebXml.FilterMapping::at, this::filterMapping);
        each(
                "listener",
                xml.listeners(),
                WebXml.ListenerDeclaration::at,
                listener -> text.leaf("listener-class", listener.className()));
        each("servlet", xml.servlets(), WebXml.ServletDeclaration::at, this::servlet);
        each("servlet-mapping", xml.servletMappings(), WebXml.ServletMapping::at, this::servletMapping);
        session();
        each("mime-mapping", xml.mimeMappings(), WebXml.MimeMapping::at, this::mimeMapping);
        welcomeFiles();
        each("error-page", xml.errorPages(), WebXml.ErrorPage::at, this::errorPage);
        xml.jspConfig().forEach(element -> text.copy(element, null));
        security();
        encodings();
        xml.environment().forEach(element -> text.copy(element, null));
        merged.dataSources().forEach(this::annotated);
        text.close("web-app");
    }

    private void excluded(String by, Given<String> name) {
        text.comment(by + ": " + name.value() + " (from " + name.origin() + ")");
    }

    /** Writes a data source that an annotation defines. */
    private void annotated(DataSourceDefinition source) {
        text.open("data-source", SourceLocation.file(source.at()))
                .leaf("name", source.name())
                .leaf("class-name", source.className())
                .leaf("server-name", source.serverName())
                .leaf("port-number", source.portNumber())
                .leaf("database-name", source.databaseName())
                .leaf("url", source.url())
                .leaf("user", source.user())
                .leaf("max-pool-size", source.pool().maximum())
                .leaf("min-pool-size", source.pool().minimum())
                .close("data-source");
    }

    private static String shown(List<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private <T> void each(String name, List<T> items, Function<T, SourceLocation> at, Consumer<T> content) {
        for (T item : items) {
            text.open(name, at.apply(item));
            content.accept(item);
            text.close(name);
        }
    }

    private void about() {
        text.leaf("display-name", xml.about().displayName());
        if (xml.about().distributable()) {
            text.leaf("distributable", "");
        }
        if (xml.about().denyUncoveredMethods()) {
            text.leaf("deny-uncovered-http-methods", "");
        }
    }

    private void parameter(WebXml.Parameter parameter) {
        text.leaf("param-name", parameter.name())
                .leaf("param-value", XmlText.shown(parameter.name(), parameter.value()));
    }

    /**
     * Writes the init parameters of a servlet or filter. If a parameter comes from another file than the declaration, the source location
     * of the parameter is written, too.
     */
    private void parameters(List<WebXml.Parameter> parameters, SourceLocation declaration) {
        for (WebXml.Parameter parameter : parameters) {
            text.open("init-param", parameter.at().file().equals(declaration.file()) ? null : parameter.at());
            parameter(parameter);
            text.close("init-param");
        }
    }

    /**
     * Writes a property of a declaration. If the property comes from another file than the declaration, the source location of the property
     * is written, too.
     */
    private void property(String declaration, String name, @Nullable Object value) {
        text.leaf(name, value, origins.get(declaration + ": " + name));
    }

    private void filter(WebXml.FilterDeclaration filter) {
        String name = "filter '" + filter.name() + "'";
        text.leaf("filter-name", filter.name());
        property(name, "filter-class", filter.className());
        property(name, "async-supported", filter.asyncSupported());
        parameters(filter.parameters(), filter.at());
    }

    private void filterMapping(WebXml.FilterMapping mapping) {
        text.leaf("filter-name", mapping.filterName());
        mapping.patterns().forEach(pattern -> text.leaf("url-pattern", pattern));
        mapping.servletNames().forEach(servlet -> text.leaf("servlet-name", servlet));
        mapping.dispatchers().forEach(dispatcher -> text.leaf("dispatcher", dispatcher));
    }

    private void servlet(WebXml.ServletDeclaration servlet) {
        String name = "servlet '" + servlet.name() + "'";
        text.leaf("servlet-name", servlet.name());
        property(name, "servlet-class", servlet.className());
        property(name, "jsp-file", servlet.jspFile());
        parameters(servlet.parameters(), servlet.at());
        property(name, "load-on-startup", servlet.loadOnStartup());
        property(name, "enabled", servlet.enabled());
        property(name, "async-supported", servlet.asyncSupported());
        if (servlet.runAs() != null) {
            text.open("run-as", origins.get(name + ": run-as"));
            text.leaf("role-name", servlet.runAs()).close("run-as");
        }
        for (WebXml.RoleReference role : servlet.roleReferences()) {
            text.open("security-role-ref", null).leaf("role-name", role.name());
            text.leaf("role-link", role.link()).close("security-role-ref");
        }
        if (servlet.multipart() != null) {
            multipart(servlet.multipart(), origins.get(name + ": multipart-config"));
        }
        ClassFacts facts = servlet.className() == null ? null : scans.find(servlet.className());
        if (facts != null) {
            AnnotationText.of(facts).forEach(text::comment);
        }
    }

    private void multipart(WebXml.Multipart multipart, @Nullable SourceLocation at) {
        text.open("multipart-config", at)
                .leaf("location", multipart.location())
                .leaf("max-file-size", multipart.maxFileSize())
                .leaf("max-request-size", multipart.maxRequestSize())
                .leaf("file-size-threshold", multipart.fileSizeThreshold())
                .close("multipart-config");
    }

    private void servletMapping(WebXml.ServletMapping mapping) {
        text.leaf("servlet-name", mapping.servletName());
        mapping.patterns().forEach(pattern -> text.leaf("url-pattern", pattern));
    }

    private void session() {
        WebXml.SessionConfig session = xml.session();
        if (session == null) {
            return;
        }
        text.open("session-config", session.at());
        property("session-config", "session-timeout", session.timeoutMinutes());
        WebXml.Cookie cookie = session.cookie();
        if (cookie != null) {
            text.open("cookie-config", null);
            property("cookie-config", "name", cookie.name());
            property("cookie-config", "domain", cookie.domain());
            property("cookie-config", "path", cookie.path());
            property("cookie-config", "http-only", cookie.httpOnly());
            property("cookie-config", "secure", cookie.secure());
            property("cookie-config", "max-age", cookie.maxAge());
            for (WebXml.Parameter attribute : cookie.attributes()) {
                text.open("attribute", null).leaf("attribute-name", attribute.name());
                text.leaf("attribute-value", attribute.value()).close("attribute");
            }
            text.close("cookie-config");
        }
        session.tracking().forEach(mode -> property("session-config", "tracking-mode", mode));
        text.close("session-config");
    }

    private void mimeMapping(WebXml.MimeMapping mapping) {
        text.leaf("extension", mapping.extension()).leaf("mime-type", mapping.type());
    }

    private void welcomeFiles() {
        if (!xml.welcomeFiles().isEmpty()) {
            text.open("welcome-file-list", null);
            xml.welcomeFiles().forEach(file -> text.leaf("welcome-file", file.value(), file.at()));
            text.close("welcome-file-list");
        }
    }

    private void errorPage(WebXml.ErrorPage page) {
        text.leaf("error-code", page.status())
                .leaf("exception-type", page.exceptionType())
                .leaf("location", page.location());
    }

    private void security() {
        each("security-constraint", xml.security().constraints(), WebXml.SecurityConstraint::at, this::constraint);
        WebXml.LoginConfig login = xml.security().login();
        if (login != null) {
            text.open("login-config", login.at())
                    .leaf("auth-method", login.method())
                    .leaf("realm-name", login.realm());
            if (login.loginPage() != null) {
                text.open("form-login-config", null)
                        .leaf("form-login-page", login.loginPage())
                        .leaf("form-error-page", login.errorPage())
                        .close("form-login-config");
            }
            text.close("login-config");
        }
        each("security-role", xml.security().roles(), WebXml.Text::at, role -> text.leaf("role-name", role.value()));
    }

    private void constraint(WebXml.SecurityConstraint constraint) {
        for (WebXml.ResourceCollection collection : constraint.collections()) {
            text.open("web-resource-collection", null).leaf("web-resource-name", collection.name());
            collection.patterns().forEach(pattern -> text.leaf("url-pattern", pattern));
            collection.methods().forEach(method -> text.leaf("http-method", method));
            collection.methodOmissions().forEach(method -> text.leaf("http-method-omission", method));
            text.close("web-resource-collection");
        }
        if (constraint.roles() != null) {
            text.open("auth-constraint", null);
            constraint.roles().forEach(role -> text.leaf("role-name", role));
            text.close("auth-constraint");
        }
        text.open("user-data-constraint", null)
                .leaf("transport-guarantee", constraint.transport())
                .close("user-data-constraint");
    }

    private void encodings() {
        if (!xml.localeEncodings().isEmpty()) {
            text.open("locale-encoding-mapping-list", null);
            each("locale-encoding-mapping", xml.localeEncodings(), WebXml.LocaleEncoding::at, mapping -> text.leaf(
                            "locale", mapping.locale())
                    .leaf("encoding", mapping.encoding()));
            text.close("locale-encoding-mapping-list");
        }
        encoding("request-character-encoding", xml.requestEncoding());
        encoding("response-character-encoding", xml.responseEncoding());
    }

    private void encoding(String name, WebXml.@Nullable Text encoding) {
        if (encoding != null) {
            text.leaf(name, encoding.value(), encoding.at());
        }
    }
}
