package io.penstock.limits;

/**
 * A value that its key does not allow.
 *
 * @param shown the value as people see it; secrets are hidden
 * @param problem the error; in a message, this text follows the name of the key
 */
public record BadSetting(Key key, String shown, Origin origin, String problem) {

    static BadSetting unreadable(Key key, String text, Origin origin, String problem) {
        return new BadSetting(key, key.type() == ValueType.SECRET ? Setting.HIDDEN : text, origin, problem);
    }
}
