package io.penstock.limits;

import io.penstock.limits.ConfigurationException.BadSetting;

/**
 * The value of a key, and the origin of the value.
 *
 * @param value the parsed value; the key's {@link ValueType} determines its Java type
 */
public record Setting(Key key, Object value, Origin origin) {

    private static final String HIDDEN = "(hidden)";

    /** Parses the value. */
    static Setting parse(Key key, String text, Origin origin) {
        try {
            return new Setting(key, key.type().parse(text.strip()), origin);
        } catch (IllegalArgumentException e) {
            String problem = String.valueOf(e.getMessage());
            String shown = key.type() == ValueType.SECRET ? HIDDEN : text.strip();
            throw ConfigurationException.at(new BadSetting(key, shown, origin, problem), key.id() + ": " + problem, e);
        }
    }

    /** The value as written in a configuration file, even if it is secret; {@link #shown} hides secrets. */
    public String text() {
        return key.type().show(value);
    }

    boolean isDefault() {
        return origin instanceof Origin.ByDefault;
    }

    /** The value as people see it. Secrets are hidden. */
    public String shown() {
        boolean hidden = key.type() == ValueType.SECRET && !text().equals(key.defaultShown());
        return hidden ? HIDDEN : text();
    }

    /** Hides secrets, because this text can be logged. */
    @Override
    public String toString() {
        return key.id() + " = " + shown() + " (from " + origin + ")";
    }
}
