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

/** Puts what is configured for an application over what the application says itself. */
final class OutsideSettings {
    private OutsideSettings() {}

    /**
     * Over a descriptor, before fragments and annotations are merged to it.
     *
     * @param origins takes note of properties that come from elsewhere than the declaration that they belong to
     */
    static WebXml over(WebXml own, ApplicationSettings outside, Map<String, Where> origins) throws DeploymentException {
        WebXml xml = own;
        if (outside.overrideDescriptor() != null) {
            WebXml override =
                    OverrideDescriptor.read(outside.overrideDescriptor().value());
            xml = OverrideDescriptor.over(own, override, origins);
        }
        WebXmlDraft draft = Merge.draftOf(xml);
        draft.environment.addAll(xml.environment());
        for (ApplicationSettings.Parameter parameter : outside.contextParameters()) {
            draft.contextParameters.removeIf(known -> known.name().equals(parameter.name()));
            draft.contextParameters.add(
                    new WebXml.Parameter(parameter.name(), parameter.value(), where(parameter.origin())));
        }
        Given<Integer> minutes = outside.sessionMinutes();
        if (minutes != null) {
            Where at = where(minutes.origin());
            WebXml.SessionConfig session =
                    draft.session == null ? new WebXml.SessionConfig(null, null, List.of(), at) : draft.session;
            draft.session =
                    new WebXml.SessionConfig(minutes.value(), session.cookie(), session.tracking(), session.at());
            origins.put("session-config: session-timeout", at);
        }
        draft.requestEncoding = encoding(outside.requestEncoding(), draft.requestEncoding);
        draft.responseEncoding = encoding(outside.responseEncoding(), draft.responseEncoding);
        return draft.toWebXml();
    }

    private static WebXml.@Nullable Text encoding(@Nullable Given<Charset> outside, WebXml.@Nullable Text own) {
        return outside == null ? own : new WebXml.Text(outside.value().name(), where(outside.origin()));
    }

    private static Where where(Origin origin) {
        return Where.file(origin.toString());
    }

    /** Over a context that has no descriptor. */
    static void apply(ApplicationSettings outside, ContextSettings.Builder settings) {
        outside.contextParameters().forEach(parameter -> settings.initParameter(parameter.name(), parameter.value()));
        if (outside.sessionMinutes() != null) {
            settings.sessions(SessionSettings.defaults()
                    .withTimeout(outside.sessionMinutes().value()));
        }
        settings.encodings(Encodings.of(
                value(outside.requestEncoding()), value(outside.responseEncoding()), value(outside.fileEncoding())));
    }

    /** What no descriptor can say. */
    static Encodings ofFiles(ApplicationSettings outside) {
        return Encodings.of(null, null, value(outside.fileEncoding()));
    }

    private static <T> @Nullable T value(@Nullable Given<T> given) {
        return given == null ? null : given.value();
    }
}
