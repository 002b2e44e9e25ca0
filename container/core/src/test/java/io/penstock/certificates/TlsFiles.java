package io.penstock.certificates;

import io.penstock.RecordedLog;
import io.penstock.limits.Switch;
import io.penstock.limits.Tls;
import io.penstock.limits.Tls.ClientAuth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes certificate files into a folder, and makes a TLS configuration with these files. */
final class TlsFiles {
    private final Path folder;
    private final List<Path> certificates = new ArrayList<>();
    private final List<Path> keys = new ArrayList<>();
    private @Nullable Path keystore;
    private String password = Tls.NO_PASSWORD;
    private @Nullable Path passwordFile;
    private Switch selfSigned = Switch.OFF;
    private ClientAuth clientAuth = ClientAuth.NONE;
    private @Nullable Path trust;
    private String trustPassword = Tls.NO_PASSWORD;
    private List<Tls.Protocol> protocols = List.of(Tls.Protocol.values());
    private List<String> ciphers = List.of();
    private String provider = Tls.JDK;

    TlsFiles(Path folder) {
        this.folder = folder;
    }

    Path write(String name, String content) {
        try {
            return Files.writeString(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a certificate and its key in the files {@code name.pem} and {@code name.key}. */
    TlsFiles with(String name, String chain, String key) {
        certificates.add(write(name + ".pem", chain));
        keys.add(write(name + ".key", key));
        return this;
    }

    TlsFiles with(String name, Issued issued) {
        return with(name, issued.pem(), issued.keyPem());
    }

    /** Adds a certificate and its key in one file. */
    TlsFiles together(String name, String content) {
        certificates.add(write(name, content));
        return this;
    }

    TlsFiles keystore(Path file) {
        keystore = file;
        return this;
    }

    TlsFiles password(String given) {
        password = given;
        return this;
    }

    TlsFiles passwordFile(String content) {
        passwordFile = write("password", content);
        return this;
    }

    TlsFiles selfSigned() {
        selfSigned = Switch.ON;
        return this;
    }

    TlsFiles clients(ClientAuth auth, Path authorities) {
        clientAuth = auth;
        trust = authorities;
        return this;
    }

    TlsFiles trustPassword(String given) {
        trustPassword = given;
        return this;
    }

    TlsFiles protocols(Tls.Protocol... given) {
        protocols = List.of(given);
        return this;
    }

    TlsFiles provider(String given) {
        provider = given;
        return this;
    }

    TlsFiles ciphers(String... given) {
        ciphers = List.of(given);
        return this;
    }

    Tls tls() {
        return new Tls(
                certificates,
                keys,
                keystore,
                password,
                passwordFile,
                selfSigned,
                Switch.OFF,
                clientAuth,
                Map.of(),
                trust,
                trustPassword,
                protocols,
                ciphers,
                provider,
                Switch.OFF,
                Duration.ofSeconds(10));
    }

    ServerCertificates open() throws TlsSetupException {
        return ServerCertificates.open(tls(), () -> Issued.NOW, new RecordedLog());
    }
}
