package io.penstock.boot.autoconfigure;

import io.penstock.StartException;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ConfigurationException.BadSetting;
import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Describes for the user the property that prevents the start of the server. The description contains the value of the property, the
 * allowed values, and a remedy.
 */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<StartException> {
    private static final String IN = " in ";

    /**
     * Describes the failure. Returns null for a port in use, because Boot itself describes this failure. Returns null also for a failure of
     * the application, because the stack trace describes it.
     */
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, StartException cause) {
        if (cause.isUnforeseen() || cause.unavailablePort().isPresent()) {
            return null;
        }
        if (cause.getCause() instanceof ConfigurationException wrong
                && wrong.setting().isPresent()) {
            return ofSetting(wrong.setting().get(), cause);
        }
        return new FailureAnalysis(
                sentence("Penstock cannot start: " + cause.getMessage()),
                "Correct the setting or file in the message. docs/configuration.md of Penstock describes all keys.",
                cause);
    }

    private static FailureAnalysis ofSetting(BadSetting setting, StartException cause) {
        Key key = setting.key();
        String where = setting.origin().toString();
        int in = where.indexOf(IN);
        boolean isNamed = where.startsWith("server.") || where.startsWith("spring.");
        String property =
                !isNamed ? PenstockProperties.PREFIX + "." + key.id() : in < 0 ? where : where.substring(0, in);
        String origin = !isNamed ? where : in < 0 ? "" : where.substring(in + IN.length());
        String description = """
            Penstock cannot use the value of a property:

                Property: %s
                Value: "%s"
            %s    Reason: %s
                Allowed: %s\
            """.formatted(
                        property,
                        setting.shown(),
                        origin.isEmpty() ? "" : "    Origin: " + origin + "\n",
                        setting.problem(),
                        allowed(key));
        return new FailureAnalysis(
                description,
                "Change the value of " + property + ", or leave the property out: the default of " + key.id() + " is "
                        + plain(key.defaultShown()) + ".",
                cause);
    }

    private static String allowed(Key key) {
        String form =
                switch (key.type()) {
                    case NUMBER -> "a whole number";
                    case BYTES -> "bytes, such as 4096, 64K, 100M or 1G";
                    case DURATION -> "a time, such as 500ms, 20s, 5m or 1h";
                    case TEXT, SECRET -> "text";
                };
        return form + "; " + plain(key.meaning());
    }

    /** Some messages of other libraries already end with a full stop. */
    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    private static String plain(String text) {
        return text.replace("`", "'");
    }
}
