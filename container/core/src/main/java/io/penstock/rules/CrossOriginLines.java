package io.penstock.rules;

import io.penstock.http.FieldSyntax;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The CORS lines of a rules file for one set of paths.
 *
 * <p>Thread: one.
 */
final class CrossOriginLines {
    private static final Pattern COMMA = Pattern.compile("[ \t]*,[ \t]*");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private final PathRule paths;
    private final Map<String, String> values = new LinkedHashMap<>();
    private String where = "";

    CrossOriginLines(PathRule paths) {
        this.paths = paths;
    }

    /**
     * @param line the file and the number of the line, for messages
     * @throws IllegalArgumentException if the field is no CORS field, or is given twice
     */
    void add(String name, String value, String line) {
        if (paths.fingerprinted()) {
            throw new IllegalArgumentException(name + " is not possible in a rule with 'fingerprinted'");
        }
        String known = CrossOrigin.ALL_FIELDS.stream()
                .filter(name::equalsIgnoreCase)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is not a field that the server knows"));
        if (values.put(known, value) != null) {
            throw new IllegalArgumentException(
                    name + " is given twice for " + paths.pattern().text());
        }
        where = line;
    }

    /** The file and the number of the last of these lines. */
    String where() {
        return where;
    }

    /**
     * @throws IllegalArgumentException if a necessary line is missing, or if the lines contradict each other or violate the Fetch standard
     */
    CrossOrigin checked() {
        String origins = values.get(CrossOrigin.ALLOW_ORIGIN);
        if (origins == null) {
            throw new IllegalArgumentException(paths.pattern().text() + " has no " + CrossOrigin.ALLOW_ORIGIN);
        }
        String allowed = values.get(CrossOrigin.ALLOW_CREDENTIALS);
        if (allowed != null && !allowed.equals("true")) {
            throw new IllegalArgumentException(CrossOrigin.ALLOW_CREDENTIALS + " can only be true");
        }
        boolean credentials = allowed != null;
        Set<String> known = origins(origins);
        refuseAny(credentials && known.contains(CrossOrigin.ANY), CrossOrigin.ALLOW_ORIGIN);
        return new CrossOrigin(
                paths,
                known,
                credentials,
                names(CrossOrigin.ALLOW_METHODS, credentials),
                names(CrossOrigin.ALLOW_HEADERS, credentials),
                names(CrossOrigin.EXPOSE_HEADERS, credentials),
                maxAge());
    }

    /**
     * Refuses an asterisk if credentials are allowed. In this case, browsers do not treat an asterisk as a wildcard, but as a literal name
     * (Fetch standard, section 3.2.5).
     */
    private static void refuseAny(boolean refused, String field) {
        if (refused) {
            throw new IllegalArgumentException(
                    field + ": * is not possible together with " + CrossOrigin.ALLOW_CREDENTIALS);
        }
    }

    private static Set<String> origins(String text) {
        Set<String> origins = new LinkedHashSet<>();
        for (String origin : text.isEmpty() ? List.<String>of() : List.of(COMMA.split(text))) {
            if (!origin.equals(CrossOrigin.ANY)) {
                requireOrigin(origin);
            }
            origins.add(origin);
        }
        if (origins.contains(CrossOrigin.ANY) && origins.size() > 1) {
            throw new IllegalArgumentException(CrossOrigin.ALLOW_ORIGIN + ": * stands alone");
        }
        return origins;
    }

    /** Checks that an origin is written exactly as browsers write it, because origins are compared as text. */
    private static void requireOrigin(String origin) {
        String written = asWritten(origin);
        if (written == null) {
            throw new IllegalArgumentException(CrossOrigin.ALLOW_ORIGIN + ": '" + origin
                    + "' is not an origin such as https://app.example.org:8443");
        }
        if (!written.equals(origin)) {
            throw new IllegalArgumentException(
                    CrossOrigin.ALLOW_ORIGIN + ": browsers write '" + origin + "' as " + written);
        }
    }

    private static @Nullable String asWritten(String origin) {
        URI uri;
        try {
            uri = URI.create(origin);
        } catch (IllegalArgumentException e) {
            return null;
        }
        String host = uri.getHost();
        if (uri.getScheme() == null || host == null || uri.getUserInfo() != null || hasMore(uri)) {
            return null;
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean usual = uri.getPort() < 0
                || (scheme.equals("http") && uri.getPort() == 80)
                || (scheme.equals("https") && uri.getPort() == 443);
        return scheme + "://" + host.toLowerCase(Locale.ROOT) + (usual ? "" : ":" + uri.getPort());
    }

    private static boolean hasMore(URI uri) {
        return !uri.getRawPath().isEmpty() || uri.getRawQuery() != null || uri.getRawFragment() != null;
    }

    private @Nullable String names(String field, boolean credentials) {
        String text = values.get(field);
        if (text == null || text.isEmpty()) {
            return null;
        }
        for (String name : COMMA.split(text, -1)) {
            refuseAny(credentials && name.equals(CrossOrigin.ANY), field);
            if (!FieldSyntax.isToken(name)) {
                throw new IllegalArgumentException(field + ": '" + name + "' is not a valid name");
            }
        }
        return text;
    }

    private @Nullable String maxAge() {
        String text = values.get(CrossOrigin.MAX_AGE);
        if (text != null && !SECONDS.matcher(text).matches()) {
            throw new IllegalArgumentException(CrossOrigin.MAX_AGE + ": '" + text + "' is not a number of seconds");
        }
        return text;
    }
}
