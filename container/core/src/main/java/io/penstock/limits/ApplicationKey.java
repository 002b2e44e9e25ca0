package io.penstock.limits;

import io.penstock.address.Network;
import io.penstock.address.PathText;
import io.penstock.limits.ApplicationSettings.SessionRules;
import io.penstock.limits.Deploying.SecureCookie;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The keys of the settings that an application can have. The configuration file, the command line and the documentation use these keys. The
 * name of a setting is the context path, a colon and the key: {@code /shop:exclude-scan}.
 */
public enum ApplicationKey {
    SESSION_TIMEOUT(
            ValueType.DURATION,
            "time without requests after which a session expires, in whole minutes; `0m` for never"),
    SESSION_COOKIE_NAME("name of the session cookie"),
    SESSION_COOKIE_PATH("path of the session cookie, as in a URL"),
    SESSION_COOKIE_SAME_SITE("attribute `SameSite` of the session cookie: `lax`, `strict` or `none`"),
    SESSION_COOKIE_DOMAIN("attribute `Domain` of the session cookie, such as `example.org`"),
    SESSION_COOKIE_MAX_AGE(
            ValueType.DURATION,
            "time for which browsers keep the session cookie, in whole seconds; `0s` until the browser is closed"),
    SESSION_COOKIE_HTTP_ONLY("`on`, or `off`: scripts of pages can read the session cookie"),
    SESSION_COOKIE_SECURE("`on`, or `auto`: the session cookie is `Secure` if the request was secure"),
    SESSION_COOKIE_PARTITIONED("`on` or `off`: whether the session cookie is `Partitioned`"),
    SESSION_TRACKING("`cookie`, `url` or `cookie,url`: how clients send the id of their session"),
    CONTEXT_PARAM("value of the context parameter NAME; it may be empty"),
    ENV("value of the environment entry NAME (`java:comp/env/NAME`), for `@Resource` and JNDI; it may be empty. It "
            + "has the type that `web.xml` declares, or that `/shop:env-type.NAME` says; otherwise it is a "
            + "`String`, which is converted to the type of an annotated field"),
    ENV_TYPE("class of the environment entry NAME, such as `java.lang.Integer`, instead of the type that `web.xml` "
            + "declares"),
    REQUEST_ENCODING("charset of forms and of text in request bodies, such as `UTF-8`, if neither the client nor the "
            + "application names one for the request"),
    RESPONSE_ENCODING("charset of text that servlets write without naming a charset; not for files"),
    FILE_ENCODING("charset in the content type of all text files of the application"),
    EXCLUDE_INITIALIZERS(
            "initializers that do not run, in addition to those of the key `exclude-initializers`; written in the same "
                    + "way"),
    EXCLUDE_SCAN(
            "libraries whose classes are not read, in addition to those of the key `exclude-scan`; written in the same "
                    + "way"),
    COMPRESSION("`off`, `precompressed` or `on`, instead of the key `compression`"),
    DIRECTORY_LISTING(
            "`on`: a request for a folder without a welcome file gets a list of its files, without hidden files. "
                    + "`off`, the default: the answer is 404"),
    TRY_FILES(
            "path of a page, such as `/index.html` of a single-page application. A browser gets this page, with status "
                    + "200, when it navigates to a path that does not exist, unless the last segment of the path has "
                    + "a dot"),
    MAX_WORKERS(
            ValueType.NUMBER,
            "workers that may serve requests of this path, and of all paths below it, at one time. Further requests "
                    + "wait in a queue of their own"),
    MAX_QUEUED(
            ValueType.NUMBER,
            "requests that may wait while `/shop:max-workers` are busy; it replaces the key `bulkhead-queue` for this "
                    + "path. A further request is answered 503"),
    MAX_SPOOL_WRITES(
            ValueType.NUMBER,
            "writes to disk that may wait or run at one time, for bodies of requests of this path and for their "
                    + "responses. Beyond it the server does not read from these clients, and their workers wait"),
    BODY_LIMIT(
            ValueType.BYTES,
            "largest request body of this path, and of all paths below it, instead of the key `body-limit`. A body "
                    + "that is stored until a worker gets it is also within `spool-limit`"),
    ALLOWED_ADDRESSES(
            "addresses and networks of the clients that may send requests to this path, and to all paths below it "
                    + "without a value of their own; written and checked like the key `allowed-addresses`, which holds, "
                    + "too. Other clients are answered 403"),
    DENIED_ADDRESSES(
            "addresses and networks of the clients that may not, even if `/shop:allowed-addresses` contains them; "
                    + "`none` for none"),
    ACCESS_LOG("file that gets the lines of requests for this path, and for all paths below it, instead of the key "
            + "`access-log`; `-` is the standard output. `none`: these requests get no line. Format, conditions "
            + "and rotation are those of the server's keys. Several logs may have the same file"),
    OVERRIDE_WEB_XML("file that is merged over the `web.xml` of the application; its declarations take precedence"),
    LIBRARIES(
            "folder of `.jar` files that the application gets as if they were in its `WEB-INF/lib`, after those that are "
                    + "there"),
    MIGRATE_JAVAX("`on` or `off`, instead of the key `migrate-javax`"),
    CLIENT_AUTH("`none`, `want` or `need`, instead of the key `tls-client-auth`, for clients that name this host, or a"
            + " host that matches this wildcard, in the TLS handshake");

    private static final Pattern DOMAIN = Pattern.compile(
            "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

    /** The classes of {@code java.lang} that an environment entry can have (Jakarta EE 5.4.1.3). */
    private static final List<String> ENTRY_TYPES =
            List.of("String", "Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double", "Class");

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final ValueType type;
    private final String meaning;

    ApplicationKey(String meaning) {
        this(ValueType.TEXT, meaning);
    }

    ApplicationKey(ValueType type, String meaning) {
        this.type = type;
        this.meaning = meaning;
    }

    /** The name of the key, which follows the colon in the name of a setting. */
    public String id() {
        return id;
    }

    /** The name in the documentation, with the placeholder for the parameter. */
    public String shown() {
        return hasParameter() ? id + ".NAME" : id;
    }

    /** Whether the setting can be for any path, instead of only an application's context path. */
    public boolean isOfPath() {
        return switch (this) {
            case MAX_WORKERS,
                    MAX_QUEUED,
                    MAX_SPOOL_WRITES,
                    BODY_LIMIT,
                    ALLOWED_ADDRESSES,
                    DENIED_ADDRESSES,
                    ACCESS_LOG -> true;
            default -> false;
        };
    }

    /** Whether a dot and a parameter follow the id. */
    boolean hasParameter() {
        return this == CONTEXT_PARAM || this == ENV || this == ENV_TYPE;
    }

    /** Whether the key applies to a host with all its contexts, instead of to a single context. */
    public boolean isOfHost() {
        return this == CLIENT_AUTH;
    }

    public ValueType type() {
        return type;
    }

    public String meaning() {
        return meaning;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the text is not a valid value; the message quotes the text and describes the expected form
     */
    Object parse(String text) {
        return switch (this) {
            case SESSION_TIMEOUT -> wholeMinutes((Duration) ValueType.DURATION.parse(text));
            case SESSION_COOKIE_NAME -> cookieName(text);
            case SESSION_COOKIE_PATH -> cookiePath(text);
            case SESSION_COOKIE_SAME_SITE -> sameSite(text);
            case SESSION_COOKIE_DOMAIN -> cookieDomain(text);
            case SESSION_COOKIE_MAX_AGE -> cookieMaxAge((Duration) ValueType.DURATION.parse(text));
            case SESSION_COOKIE_HTTP_ONLY, SESSION_COOKIE_PARTITIONED ->
                Allowed.choice(text, Switch.class) == Switch.ON;
            case SESSION_COOKIE_SECURE -> Allowed.choice(text, SecureCookie.class) == SecureCookie.ON;
            case SESSION_TRACKING -> tracking(text);
            case CONTEXT_PARAM, ENV -> text;
            case ENV_TYPE -> entryType(text);
            case REQUEST_ENCODING, RESPONSE_ENCODING, FILE_ENCODING -> Allowed.charset(text);
            case EXCLUDE_INITIALIZERS, EXCLUDE_SCAN -> names(text);
            case COMPRESSION -> Allowed.choice(text, Compression.CompressionMode.class);
            case DIRECTORY_LISTING, MIGRATE_JAVAX -> Allowed.choice(text, Switch.class);
            case TRY_FILES -> page(text);
            case MAX_WORKERS, MAX_SPOOL_WRITES -> atLeast(1, text);
            case MAX_QUEUED -> atLeast(0, text);
            case BODY_LIMIT -> ValueType.BYTES.parse(text);
            case ALLOWED_ADDRESSES -> allowedNetworks(text);
            case DENIED_ADDRESSES -> networks(text);
            case ACCESS_LOG ->
                text.equals("none") || text.equals("-") ? text : file(text).toString();
            case OVERRIDE_WEB_XML, LIBRARIES -> file(text);
            case CLIENT_AUTH -> Allowed.choice(text, Tls.ClientAuth.class);
        };
    }

    /** @throws IllegalArgumentException if the time is not in whole minutes */
    static Integer wholeMinutes(Duration time) {
        if (time.toSeconds() % 60 != 0 || time.toMillisPart() != 0 || time.toMinutes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "must be a time in whole minutes, such as 20m, not '" + ValueType.DURATION.show(time) + "'");
        }
        return Math.toIntExact(time.toMinutes());
    }

    /** @throws IllegalArgumentException if no cookie can have the name */
    static String cookieName(String name) {
        if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
            throw new IllegalArgumentException(
                    "must be a name without blanks and separators, such as SHOPID, not '" + name + "'");
        }
        return name;
    }

    /** @throws IllegalArgumentException if no cookie can have the path */
    static String cookiePath(String path) {
        if (!path.matches("/[!-:<-~]*") || PathText.decode(path) == null) {
            throw new IllegalArgumentException(
                    "must be a path as in a URL, such as / or /my%20shop, not '" + path + "'");
        }
        return path;
    }

    /** @throws IllegalArgumentException if the attribute has no such value */
    static String sameSite(String word) {
        return switch (word) {
            case "lax" -> "Lax";
            case "strict" -> "Strict";
            case "none" -> "None";
            default -> throw new IllegalArgumentException("must be lax, strict or none, not '" + word + "'");
        };
    }

    /**
     * The domain of a cookie (RFC 6265 section 4.1.2.3): a host name of labels (RFC 1123). The section lets clients ignore a dot before it,
     * which the syntax of section 4.1.1 does not have.
     *
     * @throws IllegalArgumentException if no cookie can have the domain
     */
    static String cookieDomain(String name) {
        if (name.length() > 253 || !DOMAIN.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "must be a domain such as example.org, in ASCII and without a dot before it or a port, not '" + name
                            + "'");
        }
        return name;
    }

    /**
     * The seconds of Max-Age; -1 for none.
     *
     * @throws IllegalArgumentException if the time is not in whole seconds
     */
    static Integer cookieMaxAge(Duration time) {
        if (time.toMillisPart() != 0 || time.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "must be a time in whole seconds, such as 720h, not '" + ValueType.DURATION.show(time) + "'");
        }
        return time.isZero() ? -1 : Math.toIntExact(time.toSeconds());
    }

    /**
     * Reads the ways in which clients send the id of their session, as the constants of {@code SessionTrackingMode} are called.
     *
     * @throws IllegalArgumentException if they are others
     */
    static SessionRules.Tracking tracking(String text) {
        return switch (text.replaceAll("\\s", "")) {
            case "cookie" -> new SessionRules.Tracking(Set.of("COOKIE"));
            case "url" -> new SessionRules.Tracking(Set.of("URL"));
            case "cookie,url", "url,cookie" -> new SessionRules.Tracking(Set.of("COOKIE", "URL"));
            default -> throw new IllegalArgumentException("must be cookie, url or cookie,url, not '" + text + "'");
        };
    }

    /** @throws IllegalArgumentException if no environment entry can have the class */
    private static String entryType(String name) {
        boolean isClass = name.matches("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)+");
        if (!isClass || name.startsWith("java.lang.") && !ENTRY_TYPES.contains(name.substring(10))) {
            throw new IllegalArgumentException("must be one of the classes "
                    + ENTRY_TYPES.stream().map(simple -> "java.lang." + simple).collect(Collectors.joining(", "))
                    + ", or an enum of the application, not '" + name + "'");
        }
        return name;
    }

    private static Integer atLeast(int least, String text) {
        Integer number = (Integer) ValueType.NUMBER.parse(text);
        if (number < least) {
            throw new IllegalArgumentException("must be at least " + least + ", not " + text);
        }
        return number;
    }

    static List<String> names(String text) {
        return Configuration.names(text).orElseThrow(() -> new IllegalArgumentException("a value is missing"));
    }

    /** The networks in a value; {@code all} is an empty list. */
    static List<Network> allowedNetworks(String text) {
        if (text.strip().equals(AddressLimits.ALL)) {
            return List.of();
        }
        List<Network> networks = networks(text);
        if (networks.isEmpty()) {
            throw new IllegalArgumentException("must name a network, or be " + AddressLimits.ALL);
        }
        return networks;
    }

    /** The networks in a value; {@code none} is an empty list. */
    static List<Network> networks(String text) {
        return names(text).stream().map(Network::parse).toList();
    }

    private static String page(String path) {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException("'" + path + "' is not the path of a file, such as /index.html");
        }
        return path;
    }

    private static Path file(String text) {
        try {
            return Path.of((String) ValueType.TEXT.parse(text));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + text + "' is not a valid path: " + e.getMessage(), e);
        }
    }

    /** Finds the key for a name. The name is the key's id. If the key has a parameter, a dot and the parameter follow the id. */
    static Optional<ApplicationKey> named(String name) {
        return Arrays.stream(values())
                .filter(key -> key.hasParameter()
                        ? name.startsWith(key.id + ".") && name.length() > key.id.length() + 1
                        : name.equals(key.id))
                .findFirst();
    }

    /** An example of how an operator writes the setting with this name: {@code /shop:session-timeout}. */
    static String written(String name) {
        boolean ofHost = named(name).map(ApplicationKey::isOfHost).orElse(false);
        return (ofHost ? "//www.example.org" : "/shop") + ":" + name;
    }

    /** The names of all keys, such as {@code session-timeout} and {@code context-param.NAME}. */
    static Stream<String> names() {
        return Arrays.stream(values()).map(ApplicationKey::shown);
    }
}
