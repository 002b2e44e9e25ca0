package io.penstock.limits;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The pages of the documents that messages name, where a user needs more than a line. A release can contain the address of its published
 * documents ({@code release/stage --documents}); its messages then have links. Without an address, messages name the file in the sources.
 *
 * <p>Thread: any.
 */
public enum HelpPage {
    ACME("tls", "certificates-by-acme"),
    ADMIN_PORT("guide/observing", "the-admin-port"),
    APPLICATION_KEYS("configuration", "settings-of-one-application"),
    CIPHER_SUITES("tls", "versions-and-cipher-suites"),
    JAVAX("guide/deploying", "applications-made-for-javaxservlet"),
    KEYS("configuration", "keys"),
    MIGRATION_REPORT("guide/coming-from-tomcat", "the-report"),
    OCSP("tls", "ocsp-stapling"),
    OVERLOAD("guide/running", "overload-and-time-outs"),
    PASSWORDS("tls", "passwords"),
    RENEWAL("tls", "renewal"),
    RESTART("operations", "change-the-configuration-without-a-restart"),
    SESSION_STORE("sessions", "sessions-that-servers-share"),
    TOMCAT_FILES("guide/coming-from-tomcat", "what-becomes-of-the-main-elements"),
    USERS("guide/logins", "users-and-their-rights");

    private final String page;
    private final String anchor;

    HelpPage(String page, String anchor) {
        this.page = page;
        this.anchor = anchor;
    }

    /** The end of a message: {@code " (more: docs/tls.md#renewal)"}, or a link. */
    public String more() {
        return " (more: " + link(Base.ADDRESS) + ")";
    }

    /** @param base the address of the published documents; empty for none */
    String link(String base) {
        if (base.isEmpty()) {
            return "docs/" + page + ".md#" + anchor;
        }
        return base + (base.endsWith("/") ? "" : "/") + page + ".html#" + anchor;
    }

    /** Read with the first message. */
    private static final class Base {
        private static final String ADDRESS = read();

        private static String read() {
            try (InputStream in = HelpPage.class.getResourceAsStream("documents.url")) {
                return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
