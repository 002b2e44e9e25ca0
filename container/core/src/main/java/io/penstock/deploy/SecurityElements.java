package io.penstock.deploy;

import static io.penstock.deploy.WebXmlParser.known;

import io.penstock.deploy.WebXml.LoginConfig;
import io.penstock.deploy.WebXml.ResourceCollection;
import io.penstock.deploy.WebXml.SecurityConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the elements {@code security-constraint} and {@code login-config} (Servlet 13.8). */
final class SecurityElements {
    private static final Set<String> GUARANTEES = Set.of("NONE", "INTEGRAL", "CONFIDENTIAL");

    private SecurityElements() {}

    static SecurityConstraint constraint(XmlElement element) throws DeploymentException {
        known(
                element,
                "description",
                "display-name",
                "web-resource-collection",
                "auth-constraint",
                "user-data-constraint");
        List<ResourceCollection> collections = new ArrayList<>();
        for (XmlElement collection : element.all("web-resource-collection")) {
            collections.add(collection(collection));
        }
        if (collections.isEmpty()) {
            throw element.error("lacks <web-resource-collection>");
        }
        return new SecurityConstraint(
                collections,
                roles(element.optional("auth-constraint")),
                transport(element.optional("user-data-constraint")),
                element.at());
    }

    private static ResourceCollection collection(XmlElement element) throws DeploymentException {
        known(element, "web-resource-name", "description", "url-pattern", "http-method", "http-method-omission");
        String name = element.optionalText("web-resource-name");
        if (!element.all("http-method").isEmpty()
                && !element.all("http-method-omission").isEmpty()) {
            throw element.error("has both <http-method> and <http-method-omission>");
        }
        return new ResourceCollection(
                name == null ? "" : name,
                ServletElements.patterns(element),
                element.texts("http-method"),
                element.texts("http-method-omission"));
    }

    private static @Nullable List<String> roles(@Nullable XmlElement element) throws DeploymentException {
        if (element == null) {
            return null;
        }
        known(element, "description", "role-name");
        return element.texts("role-name");
    }

    private static String transport(@Nullable XmlElement element) throws DeploymentException {
        if (element == null) {
            return "NONE";
        }
        known(element, "description", "transport-guarantee");
        XmlElement guarantee = element.required("transport-guarantee");
        if (!GUARANTEES.contains(guarantee.text())) {
            throw guarantee.error("must be NONE, INTEGRAL or CONFIDENTIAL, not '" + guarantee.text() + "'");
        }
        return guarantee.text();
    }

    static LoginConfig login(XmlElement element) throws DeploymentException {
        known(element, "auth-method", "realm-name", "form-login-config");
        XmlElement form = element.optional("form-login-config");
        if (form != null) {
            known(form, "form-login-page", "form-error-page");
        }
        return new LoginConfig(
                element.optionalText("auth-method"),
                element.optionalText("realm-name"),
                form == null ? null : form.requiredText("form-login-page"),
                form == null ? null : form.requiredText("form-error-page"),
                element.at());
    }
}
