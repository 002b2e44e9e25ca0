package io.penstock.deploy;

import io.penstock.context.ContextSettings;
import io.penstock.context.CookieSettings;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replaces settings of an application with the operator's settings for this application. */
final class SettingsOverrides {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsOverrides.class);

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
        WebXml.SessionConfig session = own == null
                ? new WebXml.SessionConfig(
                        null,
                        null,
                        List.of(),
                        where(rules.all().findFirst().orElseThrow().origin()))
                : own;
        return new WebXml.SessionConfig(
                replaced("session-config: session-timeout", rules.minutes(), session.timeoutMinutes(), origins),
                cookie(session.cookie(), rules, origins),
                tracking(rules, session.tracking(), origins),
                session.at());
    }

    private static List<WebXml.Tracking> tracking(
            SessionRules rules, List<WebXml.Tracking> own, Map<String, SourceLocation> origins) {
        if (rules.tracking() == null) {
            return own;
        }
        origins.put("session-config: tracking-mode", where(rules.tracking().origin()));
        return rules.tracking().value().modes().stream()
                .sorted()
                .map(WebXml.Tracking::valueOf)
                .toList();
    }

    private static WebXml.@Nullable Cookie cookie(
            WebXml.@Nullable Cookie own, SessionRules rules, Map<String, SourceLocation> origins) {
        if (rules.leavesCookie()) {
            return own;
        }
        WebXml.Cookie cookie = own == null ? new WebXml.Cookie(null, null, null, null, null, null, List.of()) : own;
        List<WebXml.Parameter> attributes = new ArrayList<>(cookie.attributes());
        attributes.removeIf(attribute -> rules.ofAttribute(attribute.name()) != null);
        add("SameSite", rules.sameSite(), attributes);
        add("Partitioned", rules.partitioned(), attributes);
        return new WebXml.Cookie(
                replaced("cookie-config: name", rules.cookieName(), cookie.name(), origins),
                replaced("cookie-config: domain", rules.domain(), cookie.domain(), origins),
                replaced("cookie-config: path", rules.cookiePath(), cookie.path(), origins),
                replaced("cookie-config: http-only", rules.httpOnly(), cookie.httpOnly(), origins),
                replaced("cookie-config: secure", rules.secure(), cookie.secure(), origins),
                replaced("cookie-config: max-age", rules.maxAge(), cookie.maxAge(), origins),
                attributes);
    }

    private static void add(String attribute, @Nullable Given<?> rule, List<WebXml.Parameter> attributes) {
        if (rule != null) {
            attributes.add(new WebXml.Parameter(attribute, rule.value().toString(), where(rule.origin())));
        }
    }

    private static <T> @Nullable T replaced(
            String property, @Nullable Given<T> rule, @Nullable T own, Map<String, SourceLocation> origins) {
        if (rule == null) {
            return own;
        }
        origins.put(property, where(rule.origin()));
        return rule.value();
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

    /** Warns of a session cookie that scripts can read because the operator wants it. */
    static void warnOfReadableCookie(String source, ApplicationSettings configured, CookieSettings cookie) {
        Given<Boolean> own = configured.sessions().httpOnly();
        Given<Boolean> rule = own == null ? configured.allSessions().httpOnly() : own;
        if (rule != null && !cookie.httpOnly()) {
            LOG.warn(
                    "{}: scripts can read the session cookie: {} is off (from {})",
                    source,
                    ApplicationKey.SESSION_COOKIE_HTTP_ONLY.id(),
                    rule.origin());
        }
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
