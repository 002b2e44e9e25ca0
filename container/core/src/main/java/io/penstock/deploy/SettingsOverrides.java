package io.penstock.deploy;

import io.penstock.context.ContextSettings;
import io.penstock.context.Encodings;
import io.penstock.context.SessionSettings;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.ApplicationSettings.Given;
import io.penstock.limits.Origin;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
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
        Given<Integer> minutes = configured.sessionMinutes();
        if (minutes != null) {
            SourceLocation at = where(minutes.origin());
            WebXml.SessionConfig session =
                    draft.session == null ? new WebXml.SessionConfig(null, null, List.of(), at) : draft.session;
            draft.session =
                    new WebXml.SessionConfig(minutes.value(), session.cookie(), session.tracking(), session.at());
            origins.put("session-config: session-timeout", at);
        }
        draft.requestEncoding = encoding(configured.requestEncoding(), draft.requestEncoding);
        draft.responseEncoding = encoding(configured.responseEncoding(), draft.responseEncoding);
        return draft.toWebXml();
    }

    private static WebXml.@Nullable Text encoding(@Nullable Given<Charset> configured, WebXml.@Nullable Text own) {
        return configured == null ? own : new WebXml.Text(configured.value().name(), where(configured.origin()));
    }

    private static SourceLocation where(Origin origin) {
        return SourceLocation.file(origin.toString());
    }

    /** Applies the operator's settings to a context that has no descriptor. */
    static void apply(ApplicationSettings configured, ContextSettings.Builder settings) {
        configured
                .contextParameters()
                .forEach(parameter -> settings.initParameter(parameter.name(), parameter.value()));
        if (configured.sessionMinutes() != null) {
            settings.sessions(SessionSettings.defaults()
                    .withTimeout(configured.sessionMinutes().value()));
        }
        settings.encodings(Encodings.of(
                value(configured.requestEncoding()),
                value(configured.responseEncoding()),
                value(configured.fileEncoding())));
    }

    /** The operator's setting for the encoding of files. A descriptor cannot declare this encoding. */
    static Encodings ofFiles(ApplicationSettings configured) {
        return Encodings.of(null, null, value(configured.fileEncoding()));
    }

    private static <T> @Nullable T value(@Nullable Given<T> given) {
        return given == null ? null : given.value();
    }
}
