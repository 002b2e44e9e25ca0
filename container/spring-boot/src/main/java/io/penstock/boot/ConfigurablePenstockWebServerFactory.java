package io.penstock.boot;

import org.springframework.boot.web.server.ConfigurableWebServerFactory;

/** A factory of servers whose settings can be changed, for servlets or for reactive applications. */
public interface ConfigurablePenstockWebServerFactory extends ConfigurableWebServerFactory {

    /**
     * Sets any key of the configuration reference. It wins over Boot's own settings, such as {@code server.compression}.
     *
     * @param where its origin, for operators
     */
    void set(String key, String value, String where);

    /** Changes the builder, after all keys, in the order of the calls. */
    void addBuilderCustomizers(PenstockBuilderCustomizer... customizers);

    /** Changes the web application, in the order of the calls. */
    void addContextCustomizers(PenstockContextCustomizer... customizers);

    /** Whether the fields of proxies in private networks count, unless the key {@code trusted-proxies} says otherwise. */
    void setUseForwardHeaders(boolean use);

    /**
     * Makes a server for operators: small, and without what only the application's server can have, such as sessions that are kept. Keys and
     * customizers that have been set do not count, but for the size of a request's head.
     */
    void useForManagement();
}
