package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.http.FieldSyntax;
import io.penstock.http.SetCookie;
import io.penstock.limits.ApplicationSettings.SessionRules;
import jakarta.servlet.SessionCookieConfig;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the session cookie. The configuration can be changed until the context has started. Properties that have their own
 * setter, such as the domain, are also attributes of the cookie. A change of what the operator has fixed has no effect.
 *
 * <p>Thread: any.
 */
@SuppressWarnings("removal")
public final class SessionCookie implements SessionCookieConfig {
    private static final String DEFAULT_NAME = "JSESSIONID";
    private static final String DOMAIN = "Domain";
    private static final String PATH = "Path";
    private static final String HTTP_ONLY = "HttpOnly";
    private static final String SECURE = "Secure";
    private static final String MAX_AGE = "Max-Age";
    private static final String COMMENT = "Comment";

    /**
     * Attributes without a value in the sent cookie. In the configuration, the value {@code true} or an empty value switches such an
     * attribute on.
     */
    private static final Set<String> FLAGS = caseless(HTTP_ONLY, SECURE, "Partitioned");

    private final RegistrationWindow window;
    private final String defaultPath;
    private final SessionRules fixed;

    @GuardedBy("this")
    private @Nullable String name;

    /** An immutable map. A change replaces the map, so readers need no lock. */
    private volatile Map<String, String> attributes;

    SessionCookie(RegistrationWindow window, String contextPath, SessionSettings settings) {
        this.window = window;
        this.defaultPath = contextPath.isEmpty() ? "/" : contextPath;
        this.fixed = settings.fixed();
        this.name = settings.cookie().name();
        settings.cookie().requireSendable();
        this.attributes = Collections.unmodifiableMap(settings.cookie().all());
    }

    /** The name of the sent cookie: the configured name, or else {@code JSESSIONID}. */
    public String effectiveName() {
        String configured = getName();
        return configured == null ? DEFAULT_NAME : configured;
    }

    /** The path of the sent cookie: the configured path, or else the context path. For the root context, the default is {@code /}. */
    public String effectivePath() {
        String configured = getPath();
        return configured == null ? defaultPath : configured;
    }

    /**
     * The value of the {@code Set-Cookie} field with a session's id.
     *
     * @param secure whether the request came over a secure connection; in this case, the cookie has the attribute {@code Secure}
     */
    public String format(String id, boolean secure, Instant now) {
        Map<String, String> configured = attributes;
        Map<String, String> sent = new LinkedHashMap<>();
        sent.put(PATH, effectivePath());
        configured.forEach((attribute, value) -> {
            if (FLAGS.contains(attribute)) {
                if (isOn(value)) {
                    sent.put(attribute, "");
                }
            } else if (!attribute.equalsIgnoreCase(PATH)
                    && !attribute.equalsIgnoreCase(COMMENT)
                    && !(attribute.equalsIgnoreCase(MAX_AGE) && getMaxAge() < 0)) {
                sent.put(attribute, value);
            }
        });
        if (secure && !isSecure()) {
            sent.put(SECURE, "");
        }
        return SetCookie.format(effectiveName(), id, sent, now);
    }

    @Override
    public synchronized void setName(String cookieName) {
        window.requireOpen();
        if (!isToken(cookieName)) {
            throw new IllegalArgumentException("a cookie's name is a token, not: " + cookieName);
        }
        if (fixed.cookieName() == null) {
            name = cookieName;
        }
    }

    /** The configured name; null if there is none. */
    @Override
    public synchronized @Nullable String getName() {
        return name;
    }

    @Override
    public void setDomain(@Nullable String domain) {
        put(DOMAIN, domain);
    }

    @Override
    public @Nullable String getDomain() {
        return attributes.get(DOMAIN);
    }

    @Override
    public void setPath(@Nullable String path) {
        put(PATH, path);
    }

    @Override
    public @Nullable String getPath() {
        return attributes.get(PATH);
    }

    /** This method has no effect, because RFC 6265 has no comments. */
    @Override
    public void setComment(@Nullable String comment) {
        window.requireOpen();
    }

    @Override
    public @Nullable String getComment() {
        return null;
    }

    @Override
    public void setHttpOnly(boolean httpOnly) {
        put(HTTP_ONLY, Boolean.toString(httpOnly));
    }

    @Override
    public boolean isHttpOnly() {
        return isOn(attributes.get(HTTP_ONLY));
    }

    @Override
    public void setSecure(boolean secure) {
        put(SECURE, Boolean.toString(secure));
    }

    @Override
    public boolean isSecure() {
        return isOn(attributes.get(SECURE));
    }

    @Override
    public void setMaxAge(int seconds) {
        put(MAX_AGE, Integer.toString(seconds));
    }

    @Override
    public int getMaxAge() {
        String value = attributes.get(MAX_AGE);
        return value == null ? -1 : Integer.parseInt(value);
    }

    /** @throws NumberFormatException if the attribute is {@code Max-Age} and the value is not a number */
    @Override
    public void setAttribute(@Nullable String attribute, @Nullable String value) {
        if (!isToken(attribute)) {
            throw new IllegalArgumentException("a cookie attribute's name is a token, not: " + attribute);
        }
        if (MAX_AGE.equalsIgnoreCase(attribute) && value != null) {
            put(MAX_AGE, Integer.toString(Integer.parseInt(value)));
        } else {
            put(attribute, value);
        }
    }

    @Override
    public @Nullable String getAttribute(@Nullable String attribute) {
        return attribute == null ? null : attributes.get(attribute);
    }

    @Override
    public Map<String, String> getAttributes() {
        return attributes;
    }

    private synchronized void put(@Nullable String attribute, @Nullable String value) {
        window.requireOpen();
        if (attribute != null && value != null) {
            requireSendable(attribute, value);
        }
        if (attribute != null && fixed.ofAttribute(attribute) != null) {
            return;
        }
        Map<String, String> next = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        next.putAll(attributes);
        if (attribute != null && value == null) {
            next.remove(attribute);
        } else if (attribute != null) {
            next.put(attribute, value);
        }
        attributes = Collections.unmodifiableMap(next);
    }

    /** Rejects an attribute that cannot be sent. Otherwise, requests that create a session would fail later. */
    private static void requireSendable(String attribute, String value) {
        SetCookie.format(DEFAULT_NAME, "", Map.of(attribute, value), Instant.EPOCH);
    }

    private static boolean isOn(@Nullable String value) {
        return value != null && (value.isEmpty() || Boolean.parseBoolean(value));
    }

    private static Set<String> caseless(String... names) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of(names));
        return Collections.unmodifiableSet(set);
    }

    private static boolean isToken(@Nullable String text) {
        return text != null && !text.isEmpty() && FieldSyntax.isToken(text);
    }
}
