package io.penstock.deploy;

import io.penstock.context.ContextSettings;
import io.penstock.context.Encodings;
import io.penstock.context.SessionSettings;
import io.penstock.environment.ResourceName;
import io.penstock.limits.ApplicationKey;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.ApplicationSettings.EnvironmentEntry;
import io.penstock.limits.ApplicationSettings.Given;
import io.penstock.limits.ApplicationSettings.SessionRules;
import io.penstock.limits.Origin;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

    /**
     * Adds the operator's environment entries to the merged descriptor. An entry replaces the value of the {@code env-entry} with the same
     * name, which keeps its injection targets and, unless the operator names a type, its type.
     */
    static WebXml withEntries(WebXml xml, List<EnvironmentEntry> entries) {
        List<XmlElement> environment = new ArrayList<>(xml.environment());
        for (EnvironmentEntry entry : entries) {
            int index = 0;
            while (index < environment.size() && !isEntry(environment.get(index), entry.name())) {
                index++;
            }
            if (index < environment.size()) {
                environment.set(index, entry(entry, environment.get(index).children()));
            } else {
                SourceLocation at = where(entry);
                environment.add(entry(entry, List.of(leaf("env-entry-name", entry.name(), at))));
            }
        }
        WebXmlDraft draft = Merge.draftOf(xml);
        draft.environment.addAll(environment);
        return draft.toWebXml();
    }

    private static boolean isEntry(XmlElement element, String name) {
        return element.name().equals("env-entry")
                && element.texts("env-entry-name").stream()
                        .anyMatch(known -> ResourceName.full(known).equals(ResourceName.full(name)));
    }

    private static XmlElement entry(EnvironmentEntry entry, List<XmlElement> own) {
        Set<String> replaced = entry.type() == null
                ? Set.of("env-entry-value", "lookup-name")
                : Set.of("env-entry-value", "lookup-name", "env-entry-type");
        SourceLocation at = where(entry);
        List<XmlElement> children = new ArrayList<>(own);
        children.removeIf(child -> replaced.contains(child.name()));
        boolean hasType = children.stream()
                .anyMatch(child ->
                        child.name().equals("env-entry-type") || child.name().equals("injection-target"));
        if (entry.type() != null) {
            children.add(leaf("env-entry-type", entry.type().value(), at));
        } else if (!hasType) {
            children.add(leaf("env-entry-type", String.class.getName(), at));
        }
        children.add(leaf("env-entry-value", entry.value(), at));
        return new XmlElement("env-entry", Map.of(), "", children, at);
    }

    private static XmlElement leaf(String name, String text, SourceLocation at) {
        return new XmlElement(name, Map.of(), text, List.of(), at);
    }

    /** The location of an entry, which names the key, because the file of the origin can be any. */
    private static SourceLocation where(EnvironmentEntry entry) {
        return SourceLocation.file(entry.origin() + ": " + ApplicationKey.ENV.id() + "." + entry.name());
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
