package io.penstock.deploy;

import io.penstock.context.ContextSettings;
import io.penstock.context.Encodings;
import io.penstock.context.SessionSettings;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.ApplicationSettings.Given;
import io.penstock.limits.ApplicationSettings.SessionRules;
import io.penstock.limits.Origin;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Replaces settings of an application with the operator's settings for this application. */
final class SettingsOverrides {
    private SettingsOverrides() {}

    /**
     * Applies the operator's settings to a descriptor. This happens before fragments and annotations are merged into the descriptor.
     *
     * @param origins receives the source locations of overridden properties
     */
    static WebXml over(WebXml own, ApplicationSettings configured, Map<String, SourceLocation> origins)
            throws DeploymentException {
        WebXml xml = own;
        if (configured.overrideDescriptor() != null) {
            WebXml override =
                    OverrideDescriptor.read(configured.overrideDescriptor().value());
            xml = OverrideDescriptor.over(own, override, origins);
        }
        WebXmlDraft draft = Merge.draftOf(xml);
        draft.environment.addAll(xml.environment());
        for (ApplicationSettings.Parameter parameter : configured.contextParameters()) {
            draft.contextParameters.removeIf(known -> known.name().equals(parameter.name()));
            draft.contextParameters.add(
                    new WebXml.Parameter(parameter.name(), parameter.value(), where(parameter.origin())));
        }
        draft.session = session(draft.session, configured.sessions(), origins);
        draft.requestEncoding = encoding(configured.requestEncoding(), draft.requestEncoding);
        draft.responseEncoding = encoding(configured.responseEncoding(), draft.responseEncoding);
        return draft.toWebXml();
    }

    private static WebXml.@Nullable SessionConfig session(
            WebXml.@Nullable SessionConfig own, SessionRules rules, Map<String, SourceLocation> origins) {
        if (rules.isEmpty()) {
            return own;
        }
        WebXml.SessionConfig session =
                own == null ? new WebXml.SessionConfig(null, null, List.of(), first(rules)) : own;
        return new WebXml.SessionConfig(
                replaced("session-config: session-timeout", rules.minutes(), session.timeoutMinutes(), origins),
                cookie(session.cookie(), rules, origins),
                session.tracking(),
                session.at());
    }

    private static WebXml.@Nullable Cookie cookie(
            WebXml.@Nullable Cookie own, SessionRules rules, Map<String, SourceLocation> origins) {
        if (rules.cookieName() == null && rules.cookiePath() == null && rules.sameSite() == null) {
            return own;
        }
        WebXml.Cookie cookie = own == null ? new WebXml.Cookie(null, null, null, null, null, null, List.of()) : own;
        List<WebXml.Parameter> attributes = new ArrayList<>(cookie.attributes());
        if (rules.cookiePath() != null) {
            attributes.removeIf(attribute -> attribute.name().equalsIgnoreCase("Path"));
        }
        if (rules.sameSite() != null) {
            attributes.removeIf(attribute -> attribute.name().equalsIgnoreCase("SameSite"));
            attributes.add(new WebXml.Parameter(
                    "SameSite", rules.sameSite().value(), where(rules.sameSite().origin())));
        }
        return new WebXml.Cookie(
                replaced("cookie-config: name", rules.cookieName(), cookie.name(), origins),
                cookie.domain(),
                replaced("cookie-config: path", rules.cookiePath(), cookie.path(), origins),
                cookie.httpOnly(),
                cookie.secure(),
                cookie.maxAge(),
                attributes);
    }

    private static <T> @Nullable T replaced(
            String property, @Nullable Given<T> rule, @Nullable T own, Map<String, SourceLocation> origins) {
        if (rule == null) {
            return own;
        }
        origins.put(property, where(rule.origin()));
        return rule.value();
    }

    private static SourceLocation first(SessionRules rules) {
        return Stream.of(rules.minutes(), rules.cookieName(), rules.cookiePath(), rules.sameSite())
                .filter(Objects::nonNull)
                .map(rule -> where(rule.origin()))
                .findFirst()
                .orElseThrow();
    }

    private static WebXml.@Nullable Text encoding(@Nullable Given<Charset> configured, WebXml.@Nullable Text own) {
        return configured == null ? own : new WebXml.Text(configured.value().name(), where(configured.origin()));
    }

    private static SourceLocation where(Origin origin) {
        return SourceLocation.file(origin.toString());
    }

    /**
     * Applies the operator's settings to a context that has no descriptor.
     *
     * @param sessionMinutes the session time-out of the context; null if it has none of its own
     */
    static void apply(
            ApplicationSettings configured, @Nullable Integer sessionMinutes, ContextSettings.Builder settings) {
        configured
                .contextParameters()
                .forEach(parameter -> settings.initParameter(parameter.name(), parameter.value()));
        SessionSettings all = SessionSettings.defaults().with(configured.allSessions());
        SessionSettings own = sessionMinutes == null ? all : all.withTimeout(sessionMinutes);
        settings.sessions(own.fixed(configured.sessions()));
        settings.fixedEncodings(encodings(configured));
    }

    /** The operator's encodings for the application. */
    static Encodings encodings(ApplicationSettings configured) {
        return Encodings.of(
                value(configured.requestEncoding()),
                value(configured.responseEncoding()),
                value(configured.fileEncoding()));
    }

    private static <T> @Nullable T value(@Nullable Given<T> given) {
        return given == null ? null : given.value();
    }
}
