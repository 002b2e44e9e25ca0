package io.penstock.migrate;

import io.penstock.migrate.Report.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Maps certificates and TLS: {@code SSLHostConfig} and {@code Certificate}, and the attributes of a connector of Tomcat 8 and older.
 * Thread: one.
 */
final class Tls {
    private static final String PASSWORD_OF_TOMCAT = "changeit";
    private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");
    private static final String DEFAULT_HOST = "_default_";
    private static final List<String> TRUST = List.of(
            "caCertificateFile",
            "truststoreFile",
            "SSLCACertificateFile",
            "truststorePassword",
            "truststorePass",
            "truststoreType");
    private static final List<String> FILES = List.of(
            "certificateFile",
            "certificateKeyFile",
            "SSLCertificateFile",
            "SSLCertificateKeyFile",
            "certificateKeystoreFile",
            "keystoreFile");

    private final Migration migration;
    private final List<Pem> pems = new ArrayList<>();
    private final List<String> hosts = new ArrayList<>();

    /** A certificate in PEM, with its key. The first one of the server is that of the default host. */
    private record Pem(boolean isDefault, String certificate, String key, String from) {}

    Tls(Migration migration) {
        this.migration = migration;
    }

    /** The hosts that have a configuration of their own. */
    List<String> hosts() {
        return hosts;
    }

    void connector(Settings settings) {
        XmlElement element = settings.element;
        List<XmlElement> configs = element.all("SSLHostConfig");
        String defaultName = settings.value("defaultSSLHostConfigName", DEFAULT_HOST);
        if (configs.isEmpty()) {
            common(settings, "");
            certificate(settings, true, true);
        }
        for (XmlElement config : configs) {
            Settings host = new Settings(migration, config);
            String name = host.value("hostName", DEFAULT_HOST);
            boolean isDefault = name.equalsIgnoreCase(defaultName);
            String prefix = name.equals(DEFAULT_HOST) ? "" : "//" + name.toLowerCase(Locale.ROOT);
            if (!prefix.isEmpty()) {
                hosts.add(name.toLowerCase(Locale.ROOT));
                host.notNeeded("hostName", "a client gets the certificate that has the host it names");
            }
            common(host, prefix);
            certificate(host, isDefault, false);
            for (XmlElement child : config.children()) {
                if (child.name().equals("Certificate")) {
                    Settings certificate = new Settings(migration, child);
                    certificate(certificate, isDefault, true);
                    certificate.rest(List.of());
                } else {
                    migration.leaf(child, List.of());
                }
            }
            host.rest(List.of());
        }
    }

    /** Sets the keys of all certificates. */
    void finish() {
        List<Pem> ordered = new ArrayList<>(pems.stream().filter(Pem::isDefault).toList());
        ordered.addAll(pems.stream().filter(pem -> !pem.isDefault()).toList());
        List<String> seen = new ArrayList<>();
        for (Pem pem : ordered) {
            if (!seen.contains(pem.certificate())) {
                seen.add(pem.certificate());
                migration.files.append("tls-cert", pem.certificate(), pem.from());
                migration.files.append("tls-key", pem.key(), pem.from());
            }
        }
    }

    /** @param host the host as in the key {@code //host:client-auth}; empty for all hosts */
    private void common(Settings settings, String host) {
        for (String attribute :
                List.of("protocols", "sslEnabledProtocols", "SSLProtocol", "sslProtocol", "sslProtocols")) {
            protocols(settings, attribute);
        }
        for (String attribute : List.of("ciphers", "SSLCipherSuite")) {
            ciphers(settings, attribute);
        }
        boolean asks = false;
        for (String attribute : List.of("certificateVerification", "clientAuth", "SSLVerifyClient")) {
            asks |= clientAuth(settings, attribute, host);
        }
        if (!asks) {
            TRUST.forEach(attribute -> settings.notNeeded(attribute, "clients are not asked for a certificate"));
            return;
        }
        for (String attribute : List.of("caCertificateFile", "truststoreFile", "SSLCACertificateFile")) {
            String file = settings.value(attribute);
            Path path = file == null ? null : migration.path(file);
            if (path != null) {
                settings.set(attribute, "tls-trust", path.toString());
            }
        }
        for (String attribute : List.of("truststorePassword", "truststorePass")) {
            String password = settings.value(attribute);
            if (password != null) {
                settings.set(attribute, "tls-trust-password", password);
            }
        }
    }

    private static void protocols(Settings settings, String attribute) {
        String value = settings.value(attribute);
        if (value == null) {
            return;
        }
        if (value.equalsIgnoreCase("all") || value.equals("TLS")) {
            settings.notNeeded(
                    attribute, "tls-protocols = TLSv1.3,TLSv1.2, the default; older versions are not supported");
            return;
        }
        List<String> wanted = new ArrayList<>();
        for (String word : value.replaceAll("\\s", "").split("(?=[+-])|,")) {
            String version = word.replaceFirst("^[+-]", "");
            List<String> named = version.equalsIgnoreCase("all") ? VERSIONS : List.of(version);
            if (word.startsWith("-")) {
                wanted.removeAll(named);
            } else {
                wanted.addAll(named);
            }
        }
        List<String> possible = VERSIONS.stream().filter(wanted::contains).toList();
        if (possible.isEmpty()) {
            settings.notPossible(attribute, "only TLSv1.3 and TLSv1.2 are supported; change the clients");
        } else {
            settings.set(attribute, "tls-protocols", String.join(",", possible));
        }
    }

    private static void ciphers(Settings settings, String attribute) {
        String value = settings.value(attribute);
        if (value == null) {
            return;
        }
        String names = value.replaceAll("[\\s:,]+", ",");
        if (names.matches("TLS_[A-Z0-9_]+(,TLS_[A-Z0-9_]+)*")) {
            settings.set(attribute, "tls-ciphers", names);
        } else {
            settings.notPossible(
                    attribute,
                    "OpenSSL's names; secure, the default, has all suites with forward secrecy and authenticated"
                            + " encryption. tls-ciphers takes standard names, such as TLS_AES_128_GCM_SHA256");
        }
    }

    /** Returns whether the server asks clients for a certificate. */
    private boolean clientAuth(Settings settings, String attribute, String host) {
        String value = settings.value(attribute);
        if (value == null) {
            if (settings.isUnresolved(attribute)) {
                settings.notPossible(
                        attribute,
                        "CLIENTS WITHOUT A CERTIFICATE REACH THE SERVER until you set tls-client-auth: "
                                + migration.missing(settings.element.get(attribute, "")));
            }
            return false;
        }
        String mode =
                switch (value.toLowerCase(Locale.ROOT)) {
                    case "required", "require", "true", "yes" -> "need";
                    case "optional", "want" -> "want";
                    case "none", "false", "no" -> "none";
                    default -> "";
                };
        if (mode.isEmpty()) {
            settings.notPossible(
                    attribute,
                    "each certificate must be signed by an authority of tls-trust: tls-client-auth = want or need");
            return false;
        } else {
            String key = host.isEmpty() ? "tls-client-auth" : host + ":client-auth";
            String problem = migration.files.set(key, mode, settings.where());
            if (problem == null) {
                settings.mapped(attribute, key + " = " + mode);
            } else {
                settings.notPossible(
                        attribute,
                        (mode.equals("need") ? "CLIENTS WITHOUT A CERTIFICATE REACH THE SERVER: " : "") + problem
                                + "; a second server can have another value, and so can a host: //host:client-auth");
            }
            return problem == null && !mode.equals("none");
        }
    }

    private static @Nullable String first(Settings settings, String... attributes) {
        for (String attribute : attributes) {
            if (settings.value(attribute) != null) {
                return attribute;
            }
        }
        return null;
    }

    /** @param required whether the key store of Tomcat's default is meant if the element names no file */
    private void certificate(Settings settings, boolean isDefault, boolean required) {
        List<String> unresolved = FILES.stream().filter(settings::isUnresolved).toList();
        for (String attribute : unresolved) {
            settings.notPossible(
                    attribute,
                    migration.missing(settings.element.attributes().get(attribute))
                            + ": tls-cert and tls-key, or tls-keystore");
        }
        if (!unresolved.isEmpty()) {
            withoutCertificate(settings);
            return;
        }
        String pem = first(settings, "certificateFile", "SSLCertificateFile");
        if (pem != null && migration.files.has("tls-keystore")) {
            settings.notPossible(
                    pem,
                    "the server has a tls-keystore, so add this certificate and its key to it: keytool"
                            + " -importkeystore");
            withoutCertificate(settings);
            return;
        }
        if (pem != null) {
            pem(settings, pem, isDefault);
            password(settings, null, "certificateKeyPassword", "SSLPassword");
            passwordFile(settings, "certificateKeyPasswordFile");
            return;
        }
        String store = first(settings, "certificateKeystoreFile", "keystoreFile");
        if (store == null && !required) {
            return;
        }
        if (!pems.isEmpty()) {
            String text =
                    "the server has certificates in PEM: write those of the key store into PEM files, too (openssl"
                            + " pkcs12), and add them to tls-cert and tls-key";
            if (store == null) {
                settings.tellElement(Outcome.NOT_POSSIBLE, text);
            } else {
                settings.notPossible(store, text);
            }
            withoutCertificate(settings);
            return;
        }
        String name = store == null ? "${user.home}/.keystore" : settings.value(store, "");
        Path path = migration.path(name.replace("${user.home}", System.getProperty("user.home", "")));
        if (path == null) {
            settings.tellElement(Outcome.NOT_POSSIBLE, "not the name of a file: " + name);
        } else if (store == null) {
            String problem = migration.files.set("tls-keystore", path.toString(), settings.where());
            settings.tellElement(
                    problem == null ? Outcome.MAPPED : Outcome.NOT_POSSIBLE,
                    problem == null ? "tls-keystore = " + path + ", as in Tomcat without a name" : problem);
        } else {
            settings.set(store, "tls-keystore", path.toString());
        }
        boolean inFile = passwordFile(settings, "certificateKeystorePasswordFile");
        password(
                settings,
                inFile ? null : PASSWORD_OF_TOMCAT,
                "certificateKeystorePassword",
                "certificateKeyPassword",
                "keystorePass",
                "keyPass");
    }

    /** Reports what belongs to a certificate that is not mapped. */
    private static void withoutCertificate(Settings settings) {
        settings.element.attributes().keySet().stream()
                .filter(attribute -> attribute.matches("(?i)(certificate|SSLCertificate|key).*|SSLPassword")
                        && !attribute.startsWith("certificateVerification"))
                .forEach(attribute -> settings.notPossible(attribute, Settings.AS_ITS_ELEMENT));
    }

    private void pem(Settings settings, String attribute, boolean isDefault) {
        Path certificate = migration.path(settings.value(attribute, ""));
        String keyAttribute = first(settings, "certificateKeyFile", "SSLCertificateKeyFile");
        Path key = keyAttribute == null ? certificate : migration.path(settings.value(keyAttribute, ""));
        String chainAttribute = first(settings, "certificateChainFile", "SSLCertificateChainFile");
        if (certificate == null || key == null) {
            settings.notPossible(attribute, "not the name of a file");
            return;
        }
        Path whole = certificate;
        if (chainAttribute != null) {
            Path chain = migration.path(settings.value(chainAttribute, ""));
            Path joined = chain == null ? null : joined(certificate, chain);
            if (joined == null) {
                settings.notPossible(
                        chainAttribute, "append the chain to " + certificate + ": the file cannot be read");
            } else {
                whole = joined;
                settings.mapped(
                        chainAttribute,
                        "a copy in " + joined + "; when you renew, write both into one file and name it in tls-cert");
            }
        }
        pems.add(new Pem(isDefault, whole.toString(), key.toString(), settings.where()));
        settings.mapped(attribute, "tls-cert = " + whole);
        if (keyAttribute != null) {
            settings.mapped(keyAttribute, "tls-key = " + key);
        }
    }

    private @Nullable Path joined(Path certificate, Path chain) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        try {
            both.writeBytes(Files.readAllBytes(certificate));
            both.writeBytes("\n".getBytes(StandardCharsets.US_ASCII));
            both.writeBytes(Files.readAllBytes(chain));
        } catch (IOException e) {
            // The report says what to do instead.
            return null;
        }
        return migration.files.add("chain-" + (pems.size() + 1) + ".pem", both.toByteArray());
    }

    private void password(Settings settings, @Nullable String byDefault, String... attributes) {
        String attribute = first(settings, attributes);
        if (attribute != null) {
            settings.set(attribute, "tls-key-password", settings.value(attribute, ""));
            for (String other : attributes) {
                if (settings.value(attribute, "").equals(settings.value(other, ""))) {
                    settings.mapped(other, "tls-key-password");
                } else {
                    settings.notPossible(other, "keys have the password of their store");
                }
            }
        } else if (byDefault != null && !migration.files.has("tls-key-password-file")) {
            migration.files.set("tls-key-password", byDefault, settings.where());
        }
    }

    private boolean passwordFile(Settings settings, String attribute) {
        String name = settings.value(attribute);
        Path file = name == null ? null : migration.path(name);
        if (file != null) {
            settings.set(attribute, "tls-key-password-file", file.toString());
        }
        return file != null;
    }
}
