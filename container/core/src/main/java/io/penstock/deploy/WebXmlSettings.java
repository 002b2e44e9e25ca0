package io.penstock.deploy;

import io.penstock.context.ContextSettings;
import io.penstock.context.CookieSettings;
import io.penstock.context.Encodings;
import io.penstock.context.ErrorPages;
import io.penstock.context.MimeTypes;
import io.penstock.context.SecuritySettings;
import io.penstock.context.SessionSettings;
import io.penstock.context.WelcomeFiles;
import io.penstock.session.AttributeValues;
import jakarta.servlet.SessionTrackingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts declarations of a merged descriptor to settings of the context, for example the welcome files and the error pages. Absent
 * declarations get default values.
 */
final class WebXmlSettings {
    private static final Set<String> METHODS = Set.of("BASIC", "DIGEST", "FORM", "CLIENT-CERT");

    private WebXmlSettings() {}

    /** @param defaults the session settings for which the descriptor has no values */
    static void apply(WebXml xml, SessionSettings defaults, ContextSettings.Builder settings)
            throws DeploymentException {
        settings.displayName(xml.about().displayName());
        version(xml, settings);
        for (WebXml.Parameter parameter : xml.contextParameters()) {
            settings.initParameter(parameter.name(), parameter.value());
        }
        settings.sessions(sessions(xml, defaults));
        settings.encodings(encodings(xml));
        settings.errorPages(errorPages(xml));
        if (!xml.welcomeFiles().isEmpty()) {
            settings.welcomeFiles(welcomeFiles(xml));
        }
        Map<String, String> types = new HashMap<>();
        xml.mimeMappings().forEach(mapping -> types.put(mapping.extension(), mapping.type()));
        settings.mimeTypes(MimeTypes.defaults().with(types));
        settings.security(security(xml));
        settings.jsp(JspElements.config(xml.jspConfig()));
    }

    /**
     * Sets the version of the Servlet API that the descriptor names. Without a version in the descriptor, the container's version applies.
     */
    private static void version(WebXml xml, ContextSettings.Builder settings) throws DeploymentException {
        String version = xml.about().version();
        if (version == null) {
            return;
        }
        if (!version.matches("\\d{1,3}(\\.\\d{1,3})?")) {
            throw new DeploymentException(
                    xml.at(), "<web-app> has version='" + version + "', which is not a known version");
        }
        String[] parts = version.split("\\.", 2);
        settings.version(Integer.parseInt(parts[0]), parts.length == 2 ? Integer.parseInt(parts[1]) : 0);
    }

    private static SessionSettings sessions(WebXml xml, SessionSettings defaults) throws DeploymentException {
        AttributeValues values = xml.about().distributable() ? AttributeValues.SERIALIZABLE : AttributeValues.ANY;
        WebXml.SessionConfig config = xml.session();
        if (config == null) {
            return new SessionSettings(
                    defaults.timeoutMinutes(), defaults.cookie(), defaults.tracking(), values, defaults.fixed());
        }
        Set<SessionTrackingMode> tracking = new HashSet<>();
        config.tracking().forEach(mode -> tracking.add(SessionTrackingMode.valueOf(mode.name())));
        if (tracking.contains(SessionTrackingMode.SSL) && tracking.size() > 1) {
            throw new DeploymentException(config.at(), "<tracking-mode> SSL cannot be combined with another mode");
        }
        return new SessionSettings(
                or(config.timeoutMinutes(), defaults.timeoutMinutes()),
                config.cookie() == null ? defaults.cookie() : cookie(config, config.cookie(), defaults.cookie()),
                tracking.isEmpty() ? defaults.tracking() : tracking,
                values,
                defaults.fixed());
    }

    private static CookieSettings cookie(WebXml.SessionConfig config, WebXml.Cookie cookie, CookieSettings defaults)
            throws DeploymentException {
        Map<String, String> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        attributes.putAll(defaults.attributes());
        cookie.attributes().forEach(attribute -> attributes.put(attribute.name(), attribute.value()));
        CookieSettings settings = new CookieSettings(
                cookie.name() == null || cookie.name().isEmpty() ? defaults.name() : cookie.name(),
                cookie.domain() != null || attributes.containsKey("Domain") ? cookie.domain() : defaults.domain(),
                cookie.path() != null || attributes.containsKey("Path") ? cookie.path() : defaults.path(),
                or(cookie.httpOnly(), defaults.httpOnly()),
                or(cookie.secure(), defaults.secure()),
                or(cookie.maxAge(), attributes.containsKey("Max-Age") ? -1 : defaults.maxAge()),
                attributes);
        try {
            settings.requireSendable();
            return settings;
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(config.at(), "<cookie-config>: " + e.getMessage());
        }
    }

    private static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    private static Encodings encodings(WebXml xml) {
        Map<String, String> byLocale = new HashMap<>();
        xml.localeEncodings().forEach(mapping -> byLocale.put(mapping.locale(), mapping.encoding()));
        return new Encodings(
                xml.requestEncoding() == null ? null : xml.requestEncoding().value(),
                xml.responseEncoding() == null ? null : xml.responseEncoding().value(),
                null,
                byLocale);
    }

    private static ErrorPages errorPages(WebXml xml) {
        ErrorPages.Builder pages = ErrorPages.builder();
        for (WebXml.ErrorPage page : xml.errorPages()) {
            if (page.status() != null) {
                pages.status(page.status(), page.location());
            } else if (page.exceptionType() != null) {
                pages.throwable(page.exceptionType(), page.location());
            } else {
                pages.fallback(page.location());
            }
        }
        return pages.build();
    }

    /**
     * The names of the welcome files. Slashes at the beginning and the end of a name are removed. The specification forbids such slashes,
     * but some descriptors have them.
     */
    private static WelcomeFiles welcomeFiles(WebXml xml) {
        List<String> names = new ArrayList<>();
        for (WebXml.Text file : xml.welcomeFiles()) {
            String name = file.value().replaceAll("^/+|/+$", "");
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return new WelcomeFiles(names);
    }

    private static SecuritySettings security(WebXml xml) throws DeploymentException {
        List<SecuritySettings.Constraint> constraints = new ArrayList<>();
        for (WebXml.SecurityConstraint constraint : xml.security().constraints()) {
            List<SecuritySettings.Collection> collections = new ArrayList<>();
            for (WebXml.ResourceCollection collection : constraint.collections()) {
                collections.add(new SecuritySettings.Collection(
                        collection.name(),
                        Set.copyOf(collection.patterns()),
                        Set.copyOf(collection.methods()),
                        Set.copyOf(collection.methodOmissions())));
            }
            constraints.add(new SecuritySettings.Constraint(
                    collections,
                    constraint.roles() == null ? null : Set.copyOf(constraint.roles()),
                    SecuritySettings.Transport.valueOf(constraint.transport())));
        }
        Set<String> roles = new HashSet<>();
        xml.security().roles().forEach(role -> roles.add(role.value()));
        return new SecuritySettings(
                constraints, login(xml.security().login()), roles, xml.about().denyUncoveredMethods());
    }

    private static SecuritySettings.@Nullable Login login(WebXml.@Nullable LoginConfig login)
            throws DeploymentException {
        if (login == null) {
            return null;
        }
        String method = login.method() == null ? "BASIC" : login.method().toUpperCase(Locale.ROOT);
        if (!METHODS.contains(method)) {
            throw new DeploymentException(
                    login.at(),
                    "<auth-method> must be BASIC, DIGEST, FORM or CLIENT-CERT, not '" + login.method() + "'");
        }
        if (method.equals("FORM") && !(isPage(login.loginPage()) && isPage(login.errorPage()))) {
            throw new DeploymentException(
                    login.at(),
                    "FORM needs <form-login-page> and <form-error-page> in a <form-login-config>, each beginning"
                            + " with /");
        }
        return new SecuritySettings.Login(method, login.realm(), login.loginPage(), login.errorPage());
    }

    private static boolean isPage(@Nullable String path) {
        return path != null && path.startsWith("/");
    }
}
