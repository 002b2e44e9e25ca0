package io.penstock.context;

import io.penstock.http.SetCookie;
import io.penstock.limits.ApplicationSettings.SessionRules;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the session cookie of an application.
 *
 * @param name the name; null for {@code JSESSIONID}
 * @param path the path; null for the context path, which is {@code /} for the root context
 * @param maxAge the maximum age in seconds; negative for a cookie that ends when the browser closes
 * @param attributes further attributes, by name
 */
public record CookieSettings(
        @Nullable String name,
        @Nullable String domain,
        @Nullable String path,
        boolean httpOnly,
        boolean secure,
        int maxAge,
        Map<String, String> attributes) {

    public CookieSettings {
        attributes = Map.copyOf(attributes);
    }

    public static CookieSettings defaults() {
        return new CookieSettings(null, null, null, true, false, -1, Map.of());
    }

    /** These settings, with the values of the rules. */
    CookieSettings with(SessionRules rules) {
        Map<String, String> changed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        changed.putAll(attributes);
        if (rules.sameSite() != null) {
            changed.put("SameSite", rules.sameSite().value());
        }
        if (rules.partitioned() != null) {
            changed.put("Partitioned", rules.partitioned().value().toString());
        }
        if (rules.maxAge() != null) {
            changed.remove("Max-Age");
        }
        return new CookieSettings(
                rules.cookieName() == null ? name : rules.cookieName().value(),
                rules.domain() == null ? domain : rules.domain().value(),
                rules.cookiePath() == null ? path : rules.cookiePath().value(),
                rules.httpOnly() == null ? httpOnly : rules.httpOnly().value(),
                rules.secure() == null ? secure : rules.secure().value(),
                rules.maxAge() == null ? maxAge : rules.maxAge().value(),
                changed);
    }

    /** All attributes of the cookie. The attributes HttpOnly and Secure have the value {@code true} or {@code false}. */
    Map<String, String> all() {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(attributes);
        putUnlessNull(all, "Domain", domain);
        putUnlessNull(all, "Path", path);
        all.put("HttpOnly", Boolean.toString(httpOnly));
        all.put("Secure", Boolean.toString(secure));
        if (maxAge != -1) {
            all.put("Max-Age", Integer.toString(maxAge));
        }
        return all;
    }

    private static void putUnlessNull(Map<String, String> map, String key, @Nullable String value) {
        if (value != null) {
            map.put(key, value);
        }
    }

    /** @throws IllegalArgumentException if the cookie cannot be sent; the message names the invalid part */
    public void requireSendable() {
        SetCookie.format(name == null ? "JSESSIONID" : name, "", all(), Instant.EPOCH);
    }
}
