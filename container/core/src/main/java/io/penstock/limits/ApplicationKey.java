package io.penstock.limits;

import static io.penstock.limits.ValueType.TEXT;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys of the settings that an application can have. The configuration file, the command line and the documentation use these keys. The
 * name of a setting is the context path, a colon and the key: {@code /shop:exclude-scan}.
 */
public enum ApplicationKey {
    SESSION_TIMEOUT(
            "session-timeout",
            ValueType.DURATION,
            "time without requests after which a session expires, in whole minutes; `0m` for never") {
        @Override
        Object parse(String text) {
            return wholeMinutes((Duration) type().parse(text));
        }
    },
    SESSION_COOKIE_NAME("session-cookie-name", TEXT, "name of the session cookie") {
        @Override
        Object parse(String text) {
            return cookieName(text);
        }
    },
    SESSION_COOKIE_PATH("session-cookie-path", TEXT, "path of the session cookie, as in a URL") {
        @Override
        Object parse(String text) {
            return cookiePath(text);
        }
    },
    SESSION_COOKIE_SAME_SITE(
            "session-cookie-same-site", TEXT, "attribute `SameSite` of the session cookie: `lax`, `strict` or `none`") {
        @Override
        Object parse(String text) {
            return sameSite(text);
        }
    },
    CONTEXT_PARAM("context-param", TEXT, "value of the context parameter NAME; it may be empty", "NAME") {
        @Override
        Object parse(String text) {
            return text;
        }
    },
    REQUEST_ENCODING(
            "request-encoding",
            TEXT,
            "charset of forms and of text in request bodies, such as `UTF-8`, if neither the client nor the application names one for the request") {
        @Override
        Object parse(String text) {
            return charset(text);
        }
    },
    RESPONSE_ENCODING(
            "response-encoding", TEXT, "charset of text that servlets write without naming a charset; not for files") {
        @Override
        Object parse(String text) {
            return charset(text);
        }
    },
    FILE_ENCODING("file-encoding", TEXT, "charset in the content type of all text files of the application") {
        @Override
        Object parse(String text) {
            return charset(text);
        }
    },
    EXCLUDE_INITIALIZERS(
            "exclude-initializers",
            TEXT,
            "initializers that do not run, in addition to those of the key `exclude-initializers`; written in the same way") {
        @Override
        Object parse(String text) {
            return NameList.parse(text);
        }
    },
    EXCLUDE_SCAN(
            "exclude-scan",
            TEXT,
            "libraries whose classes are not read, in addition to those of the key `exclude-scan`; written in the same way") {
        @Override
        Object parse(String text) {
            return NameList.parse(text);
        }
    },
    COMPRESSION("compression", TEXT, "`off`, `precompressed` or `on`, instead of the key `compression`") {
        @Override
        Object parse(String text) {
            return switch (text) {
                case "off" -> CompressionMode.OFF;
                case "precompressed" -> CompressionMode.PRECOMPRESSED;
                case "on" -> CompressionMode.ON;
                default -> throw new IllegalArgumentException("'" + text + "' is none of off, precompressed and on");
            };
        }
    },
    DIRECTORY_LISTING(
            "directory-listing",
            TEXT,
            "`on`: a request for a folder without a welcome file gets a list of its files, without hidden files. `off`, the "
                    + "default: the answer is 404") {
        @Override
        Object parse(String text) {
            return switchState(text);
        }
    },
    TRY_FILES(
            "try-files",
            TEXT,
            "path of a page, such as `/index.html` of a single-page application. A browser gets this page, with status 200, when "
                    + "it navigates to a path that does not exist, unless the last segment of the path has a dot") {
        @Override
        Object parse(String text) {
            if (!text.startsWith("/") || text.endsWith("/")) {
                throw new IllegalArgumentException("'" + text + "' is not the path of a file, such as /index.html");
            }
            return text;
        }
    },
    MAX_WORKERS(
            "max-workers",
            ValueType.NUMBER,
            "workers that may serve requests of this path, and of all paths below it, at one time. Further requests wait in "
                    + "a queue of their own") {
        @Override
        Object parse(String text) {
            return atLeast(1, text);
        }
    },
    MAX_QUEUED(
            "max-queued",
            ValueType.NUMBER,
            "requests that may wait while `/shop:max-workers` are busy; it replaces the key `bulkhead-queue` for this path. A further request "
                    + "is answered 503") {
        @Override
        Object parse(String text) {
            return atLeast(0, text);
        }
    },
    MAX_SPOOL_WRITES(
            "max-spool-writes",
            ValueType.NUMBER,
            "writes to disk that may wait or run at one time, for bodies of requests of this path and for their responses. "
                    + "Beyond it the server does not read from these clients, and their workers wait") {
        @Override
        Object parse(String text) {
            return atLeast(1, text);
        }
    },
    OVERRIDE_WEB_XML(
            "override-web-xml",
            TEXT,
            "file that is merged over the `web.xml` of the application; its declarations take precedence") {
        @Override
        Object parse(String text) {
            try {
                return Path.of((String) type().parse(text));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("'" + text + "' is not a valid path: " + e.getMessage(), e);
            }
        }
    },
    MIGRATE_JAVAX("migrate-javax", TEXT, "`on` or `off`, instead of the key `migrate-javax`") {
        @Override
        Object parse(String text) {
            return switchState(text);
        }
    },
    CLIENT_AUTH(
            "client-auth",
            TEXT,
            "`none`, `want` or `need`, instead of the key `tls-client-auth`, for clients that name this host, or a host that "
                    + "matches this wildcard, in the TLS handshake") {
        @Override
        Object parse(String text) {
            return switch (text) {
                case "none" -> ClientAuth.NONE;
                case "want" -> ClientAuth.WANT;
                case "need" -> ClientAuth.NEED;
                default -> throw new IllegalArgumentException("'" + text + "' is none of none, want and need");
            };
        }

        @Override
        public boolean isOfHost() {
            return true;
        }
    };

    private final String id;
    private final ValueType type;
    private final String meaning;
    private final String parameter;

    ApplicationKey(String id, ValueType type, String meaning) {
        this(id, type, meaning, "");
    }

    /** @param parameter the placeholder for the parameter, which follows the id and a dot; empty for keys without a parameter */
    ApplicationKey(String id, ValueType type, String meaning, String parameter) {
        this.id = id;
        this.type = type;
        this.meaning = meaning;
        this.parameter = parameter;
    }

    /** The name of the key, which follows the colon in the name of a setting. */
    public String id() {
        return id;
    }

    /** The name in the documentation, with the placeholder for the parameter. */
    public String shown() {
        return parameter.isEmpty() ? id : id + "." + parameter;
    }

    /** Whether the setting can be for any path, instead of only an application's context path. The keys of bulkheads are for any path. */
    public boolean isOfPath() {
        return switch (this) {
            case MAX_WORKERS, MAX_QUEUED, MAX_SPOOL_WRITES -> true;
            default -> false;
        };
    }

    /** Whether the key has a parameter. */
    boolean hasParameter() {
        return !parameter.isEmpty();
    }

    /** Whether the key applies to a host with all its contexts, instead of to a single context. */
    public boolean isOfHost() {
        return false;
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
        return type.parse(text);
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

    private static Integer atLeast(int least, String text) {
        Integer number = (Integer) ValueType.NUMBER.parse(text);
        if (number < least) {
            throw new IllegalArgumentException("must be at least " + least + ", not " + text);
        }
        return number;
    }

    private static Switch switchState(String text) {
        return switch (text) {
            case "on" -> Switch.ON;
            case "off" -> Switch.OFF;
            default -> throw new IllegalArgumentException("'" + text + "' is neither on nor off");
        };
    }

    private static Charset charset(String text) {
        try {
            Charset found = Charset.forName(text);
            if (found.canEncode()) {
                return found;
            }
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new IllegalArgumentException(noCharset(text), e);
        }
        throw new IllegalArgumentException(noCharset(text));
    }

    private static String noCharset(String text) {
        return "'" + text + "' is not a charset, such as UTF-8";
    }

    /** Finds the key for a name. The name is the key's id. If the key has a parameter, a dot and the parameter follow the id. */
    static Optional<ApplicationKey> named(String name) {
        for (ApplicationKey key : values()) {
            boolean means = key.hasParameter()
                    ? name.startsWith(key.id + ".") && name.length() > key.id.length() + 1
                    : name.equals(key.id);
            if (means) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }

    /** An example of how an operator writes the setting with this name: {@code /shop:session-timeout}. */
    static String written(String name) {
        boolean ofHost = named(name).map(ApplicationKey::isOfHost).orElse(false);
        return (ofHost ? "//www.example.org" : "/shop") + ":" + name;
    }

    /** The names of all keys, such as {@code session-timeout} and {@code context-param.NAME}. */
    static Stream<String> names() {
        return Arrays.stream(values()).map(key -> key.hasParameter() ? key.id + "." + key.parameter : key.id);
    }
}
