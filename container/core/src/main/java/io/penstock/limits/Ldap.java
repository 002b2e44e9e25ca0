package io.penstock.limits;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The LDAP directory that has the users. {@link Key} explains the values.
 *
 * @param urls where the directory answers, each with a scheme and a host; empty if no directory has the users
 * @param trust the PEM file of the directory's authorities; null for those that Java trusts
 * @param account the server's own login to the directory; null for none
 * @param patterns DNs of users; empty if users are searched
 * @param users the search for users; null if there are patterns
 * @param rolesAttribute the attribute of a user's entry with roles; null for none
 * @param groups the search for groups; null for none
 * @param groupName the attribute of a group that names the role
 */
public record Ldap(
        List<URI> urls,
        Switch startTls,
        @Nullable Path trust,
        @Nullable Account account,
        List<String> patterns,
        @Nullable Search users,
        @Nullable String rolesAttribute,
        @Nullable Search groups,
        String groupName,
        Duration connectTimeout,
        Duration readTimeout,
        Duration remembered) {
    private static final String NAME = "{0}";

    /** A DN and its password. */
    public record Account(String dn, String password) {
        /** Omits the password. */
        @Override
        public String toString() {
            return "Account[dn=" + dn + "]";
        }
    }

    /**
     * A search.
     *
     * @param base the DN of the entry under which the search begins
     * @param filter the filter, with placeholders
     */
    public record Search(String base, String filter, Switch subtree) {}

    public Ldap {
        urls = List.copyOf(urls);
        patterns = List.copyOf(patterns);
    }

    static Ldap of(Configuration given) {
        List<URI> urls = given.isNone(Key.REALM_LDAP_URL)
                ? List.of()
                : given.parts(Key.REALM_LDAP_URL).stream().map(Ldap::url).toList();
        List<String> patterns = patterns(given);
        Search users = search(given, Key.REALM_LDAP_USER_BASE, Key.REALM_LDAP_USER_FILTER, Key.REALM_LDAP_USER_SUBTREE);
        Switch startTls = given.choice(Key.REALM_LDAP_START_TLS);
        if (urls.isEmpty()) {
            requireNoOther(given);
        } else if (patterns.isEmpty() == (users == null)) {
            throw new BadValueException(
                    Key.REALM_LDAP_URL,
                    "needs either " + Key.REALM_LDAP_USER_PATTERN.id() + " or " + Key.REALM_LDAP_USER_BASE.id());
        } else if (startTls == Switch.ON && urls.stream().anyMatch(Ldap::isTls)) {
            throw new BadValueException(Key.REALM_LDAP_START_TLS, "is only for ldap:// URLs");
        }
        return new Ldap(
                urls,
                startTls,
                given.file(Key.REALM_LDAP_TRUST),
                account(given),
                patterns,
                users,
                given.isNone(Key.REALM_LDAP_USER_ROLES) ? null : given.text(Key.REALM_LDAP_USER_ROLES),
                search(given, Key.REALM_LDAP_ROLE_BASE, Key.REALM_LDAP_ROLE_FILTER, Key.REALM_LDAP_ROLE_SUBTREE),
                given.text(Key.REALM_LDAP_ROLE_NAME),
                given.duration(Key.REALM_LDAP_CONNECT_TIMEOUT),
                given.duration(Key.REALM_LDAP_READ_TIMEOUT),
                given.duration(Key.REALM_LDAP_REMEMBERED));
    }

    /** Whether a directory has the users. */
    public boolean isOn() {
        return !urls.isEmpty();
    }

    /** Whether connections to this URL begin with TLS. */
    public static boolean isTls(URI url) {
        return url.getScheme().equals("ldaps");
    }

    private static void requireNoOther(Configuration given) {
        for (Key key : List.of(
                Key.REALM_LDAP_USER,
                Key.REALM_LDAP_PASSWORD,
                Key.REALM_LDAP_USER_PATTERN,
                Key.REALM_LDAP_USER_BASE,
                Key.REALM_LDAP_USER_ROLES,
                Key.REALM_LDAP_ROLE_BASE,
                Key.REALM_LDAP_TRUST)) {
            if (!given.isNone(key)) {
                throw new BadValueException(key, "needs a directory: " + Key.REALM_LDAP_URL.id());
            }
        }
    }

    private static URI url(String text) {
        try {
            URI url = new URI(text);
            String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            String path = url.getRawPath();
            boolean bare = (path == null || path.isEmpty() || path.equals("/"))
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null
                    && url.getRawUserInfo() == null;
            if (bare && url.getHost() != null && (scheme.equals("ldap") || scheme.equals("ldaps"))) {
                return new URI(scheme, null, url.getHost(), url.getPort(), null, null, null);
            }
        } catch (URISyntaxException e) {
            throw new BadValueException(Key.REALM_LDAP_URL, "has an invalid URL: " + e.getMessage(), e);
        }
        throw new BadValueException(
                Key.REALM_LDAP_URL,
                "must have URLs with a host and nothing behind it, such as ldaps://ldap.example.org:636, not '" + text
                        + "'");
    }

    private static @Nullable Account account(Configuration given) {
        boolean noUser = given.isNone(Key.REALM_LDAP_USER);
        // A login with a DN and no password succeeds without any check (RFC 4513 section 5.1.2).
        boolean noPassword = given.isNone(Key.REALM_LDAP_PASSWORD)
                || given.text(Key.REALM_LDAP_PASSWORD).isEmpty();
        if (noUser != noPassword) {
            throw new BadValueException(
                    noUser ? Key.REALM_LDAP_PASSWORD : Key.REALM_LDAP_USER,
                    "needs " + (noUser ? Key.REALM_LDAP_USER : Key.REALM_LDAP_PASSWORD).id());
        }
        return noUser ? null : new Account(given.text(Key.REALM_LDAP_USER), given.text(Key.REALM_LDAP_PASSWORD));
    }

    private static List<String> patterns(Configuration given) {
        if (given.isNone(Key.REALM_LDAP_USER_PATTERN)) {
            return List.of();
        }
        // In a DN, a semicolon is escaped (RFC 4514 section 2.4).
        List<String> patterns = Arrays.stream(
                        given.text(Key.REALM_LDAP_USER_PATTERN).split("(?<!\\\\);", -1))
                .map(String::strip)
                .toList();
        for (String pattern : patterns) {
            requireName(Key.REALM_LDAP_USER_PATTERN, pattern);
        }
        return patterns;
    }

    private static void requireName(Key key, String text) {
        if (!text.contains(NAME)) {
            throw new BadValueException(key, "needs {0}, which stands for the name, in '" + text + "'");
        }
    }

    private static @Nullable Search search(Configuration given, Key base, Key filter, Key subtree) {
        if (given.isNone(base)) {
            return null;
        }
        String text = given.text(filter);
        if (!text.startsWith("(") || !text.endsWith(")")) {
            throw new BadValueException(filter, "must be a filter in parentheses, not '" + text + "'");
        }
        if (filter == Key.REALM_LDAP_USER_FILTER) {
            requireName(filter, text);
        } else if (!text.contains(NAME) && !text.contains("{1}")) {
            throw new BadValueException(
                    filter, "needs {0}, which stands for the DN of the user, or {1}, which stands for the name");
        }
        return new Search(given.text(base), text, given.choice(subtree));
    }
}
