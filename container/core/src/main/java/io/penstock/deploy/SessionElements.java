package io.penstock.deploy;

import static io.penstock.deploy.WebXmlParser.constant;
import static io.penstock.deploy.WebXmlParser.known;

import io.penstock.deploy.WebXml.Cookie;
import io.penstock.deploy.WebXml.Parameter;
import io.penstock.deploy.WebXml.SessionConfig;
import io.penstock.deploy.WebXml.Tracking;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the element {@code session-config} of a descriptor. */
final class SessionElements {
    private SessionElements() {}

    static SessionConfig session(XmlElement element) throws DeploymentException {
        known(element, "session-timeout", "cookie-config", "tracking-mode");
        XmlElement timeout = element.optional("session-timeout");
        List<Tracking> tracking = new ArrayList<>();
        for (XmlElement mode : element.all("tracking-mode")) {
            tracking.add(constant(Tracking.class, mode));
        }
        return new SessionConfig(
                timeout == null ? null : timeout.intText(),
                cookie(element.optional("cookie-config")),
                tracking,
                element.at());
    }

    private static @Nullable Cookie cookie(@Nullable XmlElement element) throws DeploymentException {
        if (element == null) {
            return null;
        }
        known(element, "name", "domain", "path", "comment", "http-only", "secure", "max-age", "attribute");
        XmlElement maxAge = element.optional("max-age");
        List<Parameter> attributes = new ArrayList<>();
        for (XmlElement attribute : element.all("attribute")) {
            known(attribute, "description", "attribute-name", "attribute-value");
            attributes.add(new Parameter(
                    attribute.requiredText("attribute-name"),
                    attribute.required("attribute-value").text(),
                    attribute.at()));
        }
        return new Cookie(
                element.optionalText("name"),
                element.optionalText("domain"),
                element.optionalText("path"),
                element.optionalBoolean("http-only"),
                element.optionalBoolean("secure"),
                maxAge == null ? null : maxAge.intText(),
                attributes);
    }
}
