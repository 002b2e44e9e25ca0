package io.penstock.boot;

import org.springframework.boot.web.server.ConfigurableWebServerFactory;

/** A factory of servers whose settings can be changed, for servlets or for reactive applications. */
public interface ConfigurablePenstockWebServerFactory extends ConfigurableWebServerFactory {

    /**
     * Sets any key of the configuration reference. It takes precedence over Boot's own settings, such as {@code server.compression}.
     *
     * @param where its origin, for operators
     */
    void set(String key, String value, String where);

    /** Changes the builder, after all keys, in the order of the calls. */
    void addBuilderCustomizers(PenstockBuilderCustomizer... customizers);

    /** Changes the web application, in the order of the calls. */
    void addContextCustomizers(PenstockContextCustomizer... customizers);

    /** Whether header fields of proxies in private networks are trusted, unless the key {@code trusted-proxies} is set. */
    void setUseForwardHeaders(boolean use);

    /**
     * Makes a small server for operators, without features of the application's server such as stored sessions. Of the keys and
     * customizers that have been set, it uses only the maximum size of a request head.
     */
    void useForManagement();
}
