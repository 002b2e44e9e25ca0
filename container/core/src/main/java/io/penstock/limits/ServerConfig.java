package io.penstock.limits;

import java.util.List;

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
        Telemetry telemetry,
        Timeouts timeouts,
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
                Threads.of(given),
                Check.choice(Key.HALF_CLOSE, given.text(Key.HALF_CLOSE), Switch.class),
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
                Check.choice(Key.REDIRECTS, given.text(Key.REDIRECTS), Redirects.class),
                Check.choice(Key.CROSS_CONTEXT, given.text(Key.CROSS_CONTEXT), CrossContext.class),
                Check.choice(Key.UNKNOWN_HOST, given.text(Key.UNKNOWN_HOST), UnknownHost.class),
                Check.choice(Key.TRACE_METHOD, given.text(Key.TRACE_METHOD), Switch.class),
                Http2.of(given),
                Webapps.of(given),
                Deploying.of(given),
                ServerLogging.of(given),
                AccessLogging.of(given),
                Telemetry.of(given),
                Timeouts.of(given),
                ServiceTimes.of(given));
    }
}
