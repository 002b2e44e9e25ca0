package io.penstock.limits;

import java.util.regex.Pattern;

/**
 * The identity of this server among several servers that serve the same applications.
 *
 * @param name the name of this server. It consists of letters, digits, hyphens and underscores; empty if the server has no name
 * @param sessionRoute whether the session ids that are sent to clients end with the name
 */
public record Node(String name, Switch sessionRoute) {
    private static final String NONE = "none";

    /**
     * The allowed names. A dot is forbidden, because a dot separates the session id from the name. Characters that need escaping in a
     * cookie or a URL are also forbidden.
     */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,32}");

    public Node {
        if (!name.isEmpty() && !NAME.matcher(name).matches()) {
            throw new BadValueException(
                    Key.NODE_NAME, "must be 1 to 32 letters, digits, hyphens or underscores, not '" + name + "'");
        }
        if (sessionRoute == Switch.ON && name.isEmpty()) {
            throw new BadValueException(Key.SESSION_ROUTE, "needs a " + Key.NODE_NAME.id());
        }
    }

    public static Node of(Configuration given) {
        String name = given.text(Key.NODE_NAME);
        return new Node(
                name.equals(NONE) ? "" : name,
                Check.choice(Key.SESSION_ROUTE, given.text(Key.SESSION_ROUTE), Switch.class));
    }

    /** The suffix of the session ids that are sent to clients. The suffix follows the session id and a dot. Empty for no suffix. */
    public String route() {
        return sessionRoute == Switch.ON ? name : "";
    }
}
