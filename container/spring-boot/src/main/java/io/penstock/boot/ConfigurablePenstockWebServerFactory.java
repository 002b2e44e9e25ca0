package io.penstock.boot;

import org.springframework.boot.web.server.ConfigurableWebServerFactory;

/** A configurable factory of servers, for servlet applications or reactive applications. */
public interface ConfigurablePenstockWebServerFactory extends ConfigurableWebServerFactory {

    /**
     * Sets a key of the configuration reference. The value has precedence over Boot's own settings, such as {@code server.compression}.
     *
     * @param where the origin of the value, for operators
     */
    void set(String key, String value, String where);

    /** Adds customizers for the builder of the server. The customizers run after all keys are set, in the order of the calls. */
    void addBuilderCustomizers(PenstockBuilderCustomizer... customizers);

    /** Adds customizers for the web application. The customizers run in the order of the calls. */
    void addContextCustomizers(PenstockContextCustomizer... customizers);

    /**
     * Sets whether the server trusts header fields of proxies in private networks. The key {@code trusted-proxies} has precedence over this
     * setting.
     */
    void setUseForwardHeaders(boolean use);

    /**
     * Makes this factory create a small server for operators. This server has no features of the application's server, such as stored
     * sessions. The factory then ignores the customizers and all keys, except the maximum size of a request head.
     */
    void useForManagement();
}
