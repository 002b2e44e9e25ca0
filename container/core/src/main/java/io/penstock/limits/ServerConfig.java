package io.penstock.limits;

import io.penstock.limits.ConfigurationException.BadSetting;
import io.penstock.limits.Deploying.Webapps;
import io.penstock.limits.Timeouts.ServiceTimes;
import io.penstock.limits.Tls.TlsLimits;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The whole configuration of one server, with one record for each concern. */
public record ServerConfig(
        Node node,
        Admin admin,
        Listen listen,
        Acme acme,
        Tls tls,
        Https https,
        TrustedProxies proxies,
        AddressLimits addresses,
        Map<String, Long> bodyBytesOfPaths,
        Threads threads,
        Switch halfClose,
        List<BulkheadLimits> bulkheads,
        Pipes pipes,
        TlsLimits tlsLimits,
        SpoolLimits spool,
        MessageLimits messages,
        ParameterLimits parameters,
        LoginLimits logins,
        FileLimits files,
        Compression compression,
        SessionLimits sessions,
        TextEncodings encodings,
        Redirects redirects,
        CrossContext crossContext,
        UnknownHost unknownHost,
        Switch traceMethod,
        Http2 http2,
        Webapps webapps,
        Deploying deploying,
        ServerLogging log,
        AccessLogging accessLog,
        Map<String, AccessLogging> accessLogsOfPaths,
        Telemetry telemetry,
        Timeouts timeouts,
        WebSocketLimits webSockets,
        ServiceTimes service) {

    public static ServerConfig defaults() {
        return of(Configuration.defaults());
    }

    /**
     * Validates the values of a configuration and puts them into records.
     *
     * @throws ConfigurationException if a value is outside its bounds
     */
    public static ServerConfig of(Configuration given) {
        try {
            return checked(given);
        } catch (BadValueException e) {
            Setting setting = given.setting(e.key());
            throw ConfigurationException.at(
                    new BadSetting(e.key(), setting.shown(), setting.origin(), e.problem()),
                    e.key().id() + " " + e.problem(),
                    e);
        }
    }

    private static ServerConfig checked(Configuration given) {
        Acme acme = Acme.of(given);
        Tls tls = Tls.of(given, acme);
        Listen listen = Listen.of(given, tls);
        return new ServerConfig(
                Node.of(given),
                Admin.of(given, tls),
                listen,
                acme,
                tls,
                Https.of(given, listen, tls),
                TrustedProxies.of(given, listen),
                AddressLimits.of(given),
                MessageLimits.bodyBytesOfPaths(given),
                Threads.of(given),
                given.choice(Key.HALF_CLOSE),
                BulkheadLimits.of(given),
                Pipes.of(given),
                TlsLimits.of(given),
                SpoolLimits.of(given),
                MessageLimits.of(given),
                ParameterLimits.of(given),
                LoginLimits.of(given),
                FileLimits.of(given),
                Compression.of(given),
                SessionLimits.of(given),
                TextEncodings.of(given),
                given.choice(Key.REDIRECTS),
                given.choice(Key.CROSS_CONTEXT),
                given.choice(Key.UNKNOWN_HOST),
                given.choice(Key.TRACE_METHOD),
                Http2.of(given),
                Webapps.of(given),
                Deploying.of(given),
                ServerLogging.of(given),
                AccessLogging.of(given),
                AccessLogging.ofPaths(given),
                Telemetry.of(given),
                Timeouts.of(given),
                WebSocketLimits.of(given),
                ServiceTimes.of(given));
    }

    /** The form of the location in a redirect to this server. */
    public enum Redirects {
        /** Only the path. A client keeps its scheme, host and port, so this form also works behind a proxy. */
        RELATIVE,
        /**
         * A complete URL, with the scheme, host and port of the request as it reached the server. The Servlet specification requires this form.
         */
        ABSOLUTE
    }

    /** Whether an application can get the context of another application by {@code ServletContext.getContext}. */
    public enum CrossContext {
        ALLOW,
        REFUSE
    }

    /** The treatment of a request for a host that no context has. */
    public enum UnknownHost {
        /** The default host serves the request. */
        DEFAULT,
        /** The request is answered 421. */
        REFUSE
    }

    /**
     * Charsets for applications that do not set one themselves.
     *
     * @param request the charset of forms and of text in request bodies; null for ISO-8859-1, as the specification requires
     * @param response the charset of text that servlets write; null for ISO-8859-1, as the specification requires
     * @param files the charset of all text files; if null, HTML files declare their own charset, and other text files are UTF-8
     */
    public record TextEncodings(
            @Nullable Charset request,
            @Nullable Charset response,
            @Nullable Charset files) {

        static TextEncodings of(Configuration given) {
            return new TextEncodings(
                    given.charset(Key.REQUEST_ENCODING),
                    given.charset(Key.RESPONSE_ENCODING),
                    given.charset(Key.FILE_ENCODING));
        }
    }

    /** Optional reports about the time of each request, in addition to metrics and access log. {@link Key} explains the values. */
    public record Telemetry(Switch serverTiming, Switch flight) {

        static Telemetry of(Configuration given) {
            return new Telemetry(given.choice(Key.SERVER_TIMING), given.choice(Key.FLIGHT));
        }
    }

    /** Limits on serving files. {@link Key} explains the values. */
    public record FileLimits(long cache) {

        static FileLimits of(Configuration given) {
            return new FileLimits(given.bytes(Key.FILE_CACHE));
        }
    }

    /** Where the server speaks HTTP/2, and its bounds (RFC 9113). {@link Key} explains the values. */
    public record Http2(Switch overTls, Switch priorKnowledge, int maxStreams) {

        static Http2 of(Configuration given) {
            return new Http2(given.choice(Key.HTTP2), given.choice(Key.H2C), given.number(Key.MAX_STREAMS));
        }
    }

    /** Limits on WebSocket sessions; 0 for no limit. {@link Key} explains the values. */
    public record WebSocketLimits(int endpoint, int address, int user) {

        static WebSocketLimits of(Configuration given) {
            return new WebSocketLimits(
                    given.number(Key.MAX_WEBSOCKETS_ENDPOINT),
                    given.number(Key.MAX_WEBSOCKETS_ADDRESS),
                    given.number(Key.MAX_WEBSOCKETS_USER));
        }
    }

    /**
     * The identity of this server among several servers that serve the same applications. {@link Key} explains the values.
     *
     * @param name the name of this server. It consists of letters, digits, hyphens and underscores; empty if the server has no name
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
            return new Node(name.equals(NONE) ? "" : name, given.choice(Key.SESSION_ROUTE));
        }

        /** The suffix of the session ids that are sent to clients. The suffix follows the session id and a dot. Empty for no suffix. */
        public String route() {
            return sessionRoute == Switch.ON ? name : "";
        }
    }
}
