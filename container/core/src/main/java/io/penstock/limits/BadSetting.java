package io.penstock.limits;

/**
 * A value that its key does not allow.
 *
 * @param shown the value for people; secrets are hidden
 * @param problem what is wrong, in words that follow the key's name
 */
public record BadSetting(Key key, String shown, Origin origin, String problem) {

    static BadSetting unreadable(Key key, String text, Origin origin, String problem) {
        return new BadSetting(key, key.type() == ValueType.SECRET ? Setting.HIDDEN : text, origin, problem);
    }
}
