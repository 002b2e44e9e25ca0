package io.penstock.rules;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.Vary;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A CORS rule (Fetch standard, section 3.2): which pages of other origins may access some paths, and with which requests.
 *
 * @param origins the allowed origins, as browsers write them; the single origin {@code *} allows all origins; an empty set allows no origin
 * @param credentials whether cookies and logins may be sent
 * @param methods the value of Access-Control-Allow-Methods; null if the field is not sent. Without this field, only GET, HEAD and POST are
 *     allowed
 * @param requestFields the value of Access-Control-Allow-Headers; null if the field is not sent
 * @param exposed the value of Access-Control-Expose-Headers; null if the field is not sent
 * @param maxAge the value of Access-Control-Max-Age; null if the field is not sent
 */
record CrossOrigin(
        PathRule paths,
        Set<String> origins,
        boolean credentials,
        @Nullable String methods,
        @Nullable String requestFields,
        @Nullable String exposed,
        @Nullable String maxAge) {

    static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
    static final String ALLOW_CREDENTIALS = "Access-Control-Allow-Credentials";
    static final String ALLOW_METHODS = "Access-Control-Allow-Methods";
    static final String ALLOW_HEADERS = "Access-Control-Allow-Headers";
    static final String EXPOSE_HEADERS = "Access-Control-Expose-Headers";
    static final String MAX_AGE = "Access-Control-Max-Age";
    static final List<String> ALL_FIELDS =
            List.of(ALLOW_ORIGIN, ALLOW_CREDENTIALS, ALLOW_METHODS, ALLOW_HEADERS, EXPOSE_HEADERS, MAX_AGE);

    static final String ANY = "*";
    private static final String ORIGIN = "Origin";
    private static final String VARY = "Vary";

    CrossOrigin {
        origins = Set.copyOf(origins);
    }

    /** Whether at least one other origin may access the paths. */
    boolean isOn() {
        return !origins.isEmpty();
    }

    private boolean allowsAll() {
        return origins.contains(ANY);
    }

    /**
     * Adds the fields that allow the requesting page to read a response. If the application itself has set Access-Control-Allow-Origin, no
     * field is added.
     *
     * @param origin the origin of the page; null if the request has no Origin field
     */
    void addTo(FieldList added, Fields own, @Nullable String origin) {
        if (!isOn() || own.contains(ALLOW_ORIGIN)) {
            return;
        }
        if (allow(added, origin)) {
            add(added, EXPOSE_HEADERS, exposed);
        }
        if (!allowsAll() && !Vary.covers(own.all(VARY), ORIGIN)) {
            // Vary is added even if the page may not read the response, because a cache must not reuse the response for
            // another origin.
            added.add(VARY, ORIGIN);
        }
    }

    /** The fields of the response to a preflight request. */
    Fields preflight(String origin) {
        FieldList fields = new FieldList();
        if (allow(fields, origin)) {
            add(fields, ALLOW_METHODS, methods);
            add(fields, ALLOW_HEADERS, requestFields);
            add(fields, MAX_AGE, maxAge);
        }
        return fields.add(VARY, "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
    }

    private boolean allow(FieldList to, @Nullable String origin) {
        if (allowsAll()) {
            to.add(ALLOW_ORIGIN, ANY);
            return true;
        }
        if (origin == null || !origins.contains(origin)) {
            return false;
        }
        to.add(ALLOW_ORIGIN, origin);
        if (credentials) {
            to.add(ALLOW_CREDENTIALS, "true");
        }
        return true;
    }

    private static void add(FieldList to, String name, @Nullable String value) {
        if (value != null) {
            to.add(name, value);
        }
    }

    /** The most bytes of all field lines together. */
    int longest() {
        int origin = origins.stream().mapToInt(String::length).max().orElse(0);
        int values = origin + length(methods) + length(requestFields) + length(exposed) + length(maxAge);
        return values + 300; // for the field names and Vary
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
