package io.penstock.context;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session cookie as the descriptor configures it.
 *
 * @param name null for {@code JSESSIONID}
 * @param path null for the context path, or {@code /} for the root context
 * @param maxAge seconds; negative for a cookie that ends with the browser
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
}
